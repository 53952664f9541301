//! The input of a tool (or a form) from its properties, in their order.

use serde_json::{Map, Value};

use super::{
    Constraints, Prepared, SchemaError, SchemaProfile,
    inline::Document,
    keywords::Keywords,
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
    pub name: &'a str,
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
    pub constraints: Constraints,
    /// A value to show.
    pub example: Option<Value>,
    /// The HTTP header that repeats it (`x-mcp-header`).
    pub header: Option<&'a str>,
}

#[cfg(test)]
impl<'a> Property<'a> {
    /// A required property without anything else to say about it.
    #[must_use]
    pub(crate) fn new(name: &'a str, schema: super::SchemaFn) -> Self {
        Self {
            name,
            schema: TypeSchema::made(schema),
            required: true,
            title: None,
            description: "",
            default: None,
            constraints: Constraints::NONE,
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
    let roots = plain.map(|plain| plain.shown(profile)).collect();
    let mut document = Document { roots, definitions: Map::new() };
    annotate(&mut document, properties);
    limit(&mut document, properties)?;
    let warnings = properties.iter().filter_map(|property| property.constraints.warning()).collect();
    write(&document, properties, warnings)
}

fn source(properties: &[Property<'_>]) -> Source {
    let properties = properties.iter().map(|property| (property.name.to_owned(), property.schema, property.required));
    Source::Properties(properties.collect())
}

/// What is sent, and the way back to the types.
pub(super) fn write(
    document: &Document,
    properties: &[Property<'_>],
    warnings: Vec<String>,
) -> Result<Prepared, SchemaError> {
    let mut members = Members::default();
    for (property, schema) in properties.iter().zip(&document.roots) {
        members.add(property.name, schema.into());
    }
    let mut root = Members::default();
    root.add("type", Value::from("object").into());
    root.add("properties", Member::Members(members));
    let required: Vec<&str> =
        properties.iter().filter(|property| property.required).map(|property| property.name).collect();
    if !required.is_empty() {
        root.add("required", Value::from(required).into());
    }
    root.add_definitions(&document.definitions);
    Ok(Prepared::new(root.finish()?, source(properties), warnings))
}

/// What the author says of each property, in place of what its type says.
pub(super) fn annotate(document: &mut Document, properties: &[Property<'_>]) {
    for (schema, property) in document.roots.iter_mut().zip(properties) {
        if let Some(schema) = as_object(schema) {
            property.annotate(schema);
        }
    }
}

/// The limits and headers of each property.
pub(super) fn limit(document: &mut Document, properties: &[Property<'_>]) -> Result<(), SchemaError> {
    let mut headers: Vec<String> = Vec::new();
    for (schema, property) in document.roots.iter_mut().zip(properties) {
        let Some(schema) = as_object(schema) else { continue };
        property.constraints.apply(property.name, schema)?;
        if let Some(header) = property.header {
            put_header(property.name, header, schema, &mut headers)?;
        }
    }
    Ok(())
}

impl Property<'_> {
    fn annotate(&self, schema: &mut Map<String, Value>) {
        let mut put = |keyword: &str, value: Value| {
            schema.insert(keyword.to_owned(), value);
        };
        if let Some(title) = self.title {
            put("title", title.into());
        }
        if !self.description.is_empty() {
            put("description", self.description.into());
        }
        if let Some(default) = self.default.as_ref().filter(|default| !default.is_null()) {
            put("default", default.clone());
        }
        if let Some(example) = &self.example {
            put("examples", Value::Array(vec![example.clone()]));
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

/// Clients drop a tool whose header annotation breaks a rule, so each is checked here.
fn put_header(
    name: &str,
    header: &str,
    schema: &mut Map<String, Value>,
    seen: &mut Vec<String>,
) -> Result<(), SchemaError> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if header.is_empty() || !header.bytes().all(is_token) {
        return Err(SchemaError::new(format!("`header` of argument `{name}` is not an HTTP token: {header:?}")));
    }
    let folded = header.to_ascii_lowercase();
    if seen.contains(&folded) {
        return Err(SchemaError::new(format!("two arguments have the header `{header}`")));
    }
    seen.push(folded);
    let kind = schema.keyword("type").and_then(Value::as_str);
    if !matches!(kind, Some("string" | "integer" | "boolean")) {
        return Err(SchemaError::new(format!(
            "argument `{name}` cannot be sent in a header\nonly strings, integers and booleans can"
        )));
    }
    schema.set("x-mcp-header", header.into());
    Ok(())
}
