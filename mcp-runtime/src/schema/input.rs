//! The input of a tool (or a form) from its properties, in their order.

use serde_json::{Map, Value};

use super::{
    Constraints, Prepared, SchemaError, SchemaProfile,
    describe::Describe,
    plain::Shown,
    prepared::Source,
    source::TypeSchema,
    write::{Member, Members, raw},
};

/// The one schema of a tool without arguments that every client takes.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{},"additionalProperties":false}"#;

/// One property of an input: a parameter of a function, or a field of a form.
#[derive(Clone, Debug)]
pub(crate) struct Property<'a> {
    /// The key that clients send.
    pub name: &'static str,
    /// The schema of its type.
    pub schema: TypeSchema,
    /// Whether it must be there.
    pub required: bool,
    /// A name for people.
    pub title: Option<&'a str>,
    /// What it means; when empty, what its type says about itself is shown.
    pub description: &'a str,
    /// What is used when it is absent.
    pub default: Option<Value>,
    /// Limits beyond its type.
    pub constraints: &'a Constraints,
    /// A value to show.
    pub example: Option<Value>,
    /// The HTTP header that repeats it (`x-mcp-header`).
    pub header: Option<&'a str>,
}

#[cfg(test)]
impl Property<'_> {
    /// A required property without anything else to say about it.
    #[must_use]
    pub(crate) fn new(name: &'static str, schema: super::SchemaFn) -> Self {
        Self {
            name,
            schema: TypeSchema::made(schema),
            required: true,
            title: None,
            description: "",
            default: None,
            constraints: &Constraints::NONE,
            example: None,
            header: None,
        }
    }
}

/// The input schema of a tool (or form) from its properties, in their order.
///
/// # Errors
/// When a constraint or header does not fit the type it is put on; the text is for the author.
pub(crate) fn input_from_properties(
    properties: &[Property<'_>],
    profile: SchemaProfile,
) -> Result<Prepared, SchemaError> {
    if let Some(maker) = properties.iter().find_map(|property| property.schema.maker()) {
        return (maker.input)(properties, profile);
    }
    if properties.is_empty() {
        return Ok(Prepared::new(raw(NO_ARGUMENTS.to_owned())?, source(properties), Vec::new()));
    }
    let plain = properties.iter().filter_map(|property| property.schema.plain());
    let mut shown: Vec<Shown<'_>> = plain.map(|plain| plain.shown(profile)).collect();
    for (schema, property) in shown.iter_mut().zip(properties) {
        property.annotate(schema);
    }
    limit(shown.iter_mut().map(|schema| schema as _), properties)?;
    let schemas = shown.into_iter().map(|schema| Member::Members(schema.members));
    let warnings = properties.iter().filter_map(|property| property.constraints.warning()).collect();
    write(schemas, &Map::new(), properties, warnings)
}

/// What is sent, and the way back to the types.
pub(super) fn write<'a>(
    schemas: impl Iterator<Item = Member<'a>>,
    definitions: &'a Map<String, Value>,
    properties: &'a [Property<'a>],
    warnings: Vec<String>,
) -> Result<Prepared, SchemaError> {
    let mut members = Members::default();
    for (property, schema) in properties.iter().zip(schemas) {
        members.add(property.name, schema);
    }
    let mut root = Members::default();
    root.add("type", Member::Text("object"));
    root.add("properties", Member::Members(members));
    let required: Vec<&str> =
        properties.iter().filter(|property| property.required).map(|property| property.name).collect();
    if !required.is_empty() {
        root.add("required", Value::from(required).into());
    }
    root.add_definitions(definitions);
    Ok(Prepared::new(root.finish()?, source(properties), warnings))
}

fn source(properties: &[Property<'_>]) -> Source {
    let properties = properties.iter().map(|property| (property.name, property.schema, property.required));
    Source::Properties(properties.collect())
}

/// The limits and headers of each property.
pub(super) fn limit<'s, 'a: 's>(
    schemas: impl Iterator<Item = &'s mut dyn Describe<'a>>,
    properties: &'a [Property<'a>],
) -> Result<(), SchemaError> {
    let mut headers: Vec<String> = Vec::new();
    for (schema, property) in schemas.zip(properties) {
        property.constraints.apply(property.name, schema)?;
        if let Some(header) = property.header {
            check_header(property.name, header, schema.kind(), &mut headers)?;
            schema.say("x-mcp-header", Member::Text(header));
        }
    }
    Ok(())
}

impl<'a> Property<'a> {
    /// What the author says of it, in place of what its type says.
    pub(super) fn annotate(&'a self, schema: &mut dyn Describe<'a>) {
        if let Some(title) = self.title {
            schema.say("title", Member::Text(title));
        }
        if !self.description.is_empty() {
            schema.say("description", Member::Text(self.description));
        }
        if let Some(default) = self.default.as_ref().filter(|default| !default.is_null()) {
            schema.say("default", default.into());
        }
        if let Some(example) = &self.example {
            schema.say("examples", Value::Array(vec![example.clone()]).into());
        }
    }
}

/// A schema as an object: `true` accepts everything, as `{}` does.
pub(super) fn as_object(schema: &mut Value) -> Option<&mut Map<String, Value>> {
    if let Value::Bool(false) = schema {
        *schema = serde_json::json!({"not": {}});
    } else if !schema.is_object() {
        *schema = Value::Object(Map::new());
    }
    schema.as_object_mut()
}

/// Whether it is an HTTP token.
pub(crate) fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

/// Clients drop a tool whose header annotation breaks a rule, so each is checked here.
fn check_header(name: &str, header: &str, kind: Option<&str>, seen: &mut Vec<String>) -> Result<(), SchemaError> {
    if !is_header_name(header) {
        return Err(SchemaError::new(format!("`header` of argument `{name}` is not an HTTP token: {header:?}")));
    }
    let folded = header.to_ascii_lowercase();
    if seen.contains(&folded) {
        return Err(SchemaError::new(format!("two arguments have the header `{header}`")));
    }
    seen.push(folded);
    if !matches!(kind, Some("string" | "integer" | "boolean")) {
        return Err(SchemaError::new(format!(
            "argument `{name}` cannot be sent in a header\nonly strings, integers and booleans can"
        )));
    }
    Ok(())
}
