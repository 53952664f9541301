//! The input of a tool (or a form) from its properties, in their order.

use serde_json::{Map, Value, value::RawValue};

use super::{
    Constraints, Prepared, SchemaError, SchemaProfile,
    describe::Describe,
    plain::{Kind, Shown},
    source::TypeSchema,
    write::{Member, Members, raw},
};

/// The one schema of a tool without arguments that every client takes.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{},"additionalProperties":false}"#;

/// One property of an input: a parameter of a function, or a field of a form.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    /// The key that clients send.
    pub name: &'static str,
    /// The schema of its type.
    pub schema: TypeSchema,
    /// Whether it must be there.
    pub required: bool,
    /// A name for people.
    pub title: Option<&'static str>,
    /// What it means; when empty, what its type says about itself is shown.
    pub description: &'static str,
    /// What is used when it is absent.
    pub default: Option<Box<Value>>,
    /// Limits beyond its type.
    pub constraints: &'static Constraints,
    /// A value to show.
    pub example: Option<Box<Value>>,
    /// The HTTP header that repeats it (`x-mcp-header`).
    pub header: Option<&'static str>,
}

#[cfg(test)]
impl Property {
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
/// When all are plain it is checked here and written when it is first asked for: a start does not wait for what is listed
/// later.
///
/// # Errors
/// When a constraint or header does not fit the type it is put on; the text is for the author.
pub(crate) fn input_from_properties(
    properties: Vec<Property>,
    profile: SchemaProfile,
) -> Result<Prepared, SchemaError> {
    if let Some(maker) = properties.iter().find_map(|property| property.schema.maker()) {
        return (maker.input)(properties, profile);
    }
    let mut kinds: Vec<Kind> = properties.iter().filter_map(|property| property.schema.plain()).map(Kind::of).collect();
    limit(kinds.iter_mut().map(|kind| kind as _), &properties)?;
    let warnings = properties.iter().filter_map(|property| property.constraints.warning()).collect();
    Ok(Prepared::later(properties, profile, warnings))
}

/// What is sent of properties that are all plain.
pub(super) fn write_plain(properties: &[Property], profile: SchemaProfile) -> Result<Box<RawValue>, SchemaError> {
    if properties.is_empty() {
        return raw(NO_ARGUMENTS.to_owned());
    }
    let plain = properties.iter().filter_map(|property| property.schema.plain());
    let mut shown: Vec<Shown<'_>> = plain.map(|plain| plain.shown(profile)).collect();
    for (schema, property) in shown.iter_mut().zip(properties) {
        property.annotate(schema);
    }
    limit(shown.iter_mut().map(|schema| schema as _), properties)?;
    let schemas = shown.into_iter().map(|schema| Member::Members(schema.members));
    write(schemas, &Map::new(), properties)
}

/// What is sent.
pub(super) fn write<'a>(
    schemas: impl Iterator<Item = Member<'a>>,
    definitions: &'a Map<String, Value>,
    properties: &'a [Property],
) -> Result<Box<RawValue>, SchemaError> {
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
    root.finish()
}

/// The limits and headers of each property.
pub(super) fn limit<'s, 'a: 's>(
    schemas: impl Iterator<Item = &'s mut dyn Describe<'a>>,
    properties: &'a [Property],
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

impl Property {
    /// What the author says of it, in place of what its type says.
    pub(super) fn annotate<'a>(&'a self, schema: &mut dyn Describe<'a>) {
        if let Some(title) = self.title {
            schema.say("title", Member::Text(title));
        }
        if !self.description.is_empty() {
            schema.say("description", Member::Text(self.description));
        }
        if let Some(default) = self.default.as_deref().filter(|default| !default.is_null()) {
            schema.say("default", default.into());
        }
        if let Some(example) = self.example.as_deref() {
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
