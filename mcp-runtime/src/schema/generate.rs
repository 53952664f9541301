//! From types to the schemas that are sent: generate, normalise, inline, annotate, write.

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{
    Constraints, MAX_DEPTH, Output, PlainTypes, Prepared, SchemaError, SchemaFn, SchemaProfile,
    inline::Document,
    keywords::{Keywords, each_child},
    normalise::{Side, normalise},
    notes,
    pattern::pattern_error,
    prepared::Source,
    root,
    write::{Member, Members, raw, write_root},
};

/// The one schema of a tool without arguments that every client takes.
const NO_ARGUMENTS: &str = r#"{"type":"object","properties":{},"additionalProperties":false}"#;

/// One property of an input: a parameter of a function, or a field of a form.
#[derive(Clone, Debug)]
pub(crate) struct Property<'a> {
    /// The key that clients send.
    pub name: &'a str,
    /// The schema of its type.
    pub schema: SchemaFn,
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
    pub(crate) fn new(name: &'a str, schema: SchemaFn) -> Self {
        Self {
            name,
            schema,
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

/// The input schema of a tool (or form) from its properties, in their order. `types` serves several of them.
///
/// # Errors
/// When a constraint or header does not fit the type it is put on; the text is for the author.
pub(crate) fn input_from_properties(
    properties: &[Property<'_>],
    types: &mut PlainTypes,
) -> Result<Prepared, SchemaError> {
    let profile = types.profile();
    let source = Source::Properties(
        properties.iter().map(|property| (property.name.to_owned(), property.schema, property.required)).collect(),
    );
    if properties.is_empty() {
        return Ok(Prepared::new(raw(NO_ARGUMENTS.to_owned())?, source, Vec::new()));
    }
    let mut document = types.document(properties).unwrap_or_else(|| {
        let mut document = generate(properties.iter().map(|property| property.schema), Side::Input);
        if profile == SchemaProfile::Portable {
            document.each(|schema| normalise(schema, Side::Input));
        }
        document
    });
    for (schema, property) in document.roots.iter_mut().zip(properties) {
        if let Some(schema) = as_object(schema) {
            annotate(schema, property);
        }
    }
    if profile == SchemaProfile::Portable && document.inline() {
        document.each(|schema| normalise(schema, Side::Input));
    }
    let mut headers: Vec<String> = Vec::new();
    for (index, property) in properties.iter().enumerate() {
        if !property.constraints.is_empty() || property.header.is_some() {
            document.inline_root(index);
        }
        let Some(schema) = document.roots.get_mut(index).and_then(as_object) else {
            continue;
        };
        property.constraints.apply(property.name, schema)?;
        if let Some(header) = property.header {
            put_header(property.name, header, schema, &mut headers)?;
        }
    }
    // Before the notes: they may mention a definition that no keyword refers to any more.
    document.drop_unused();
    if profile == SchemaProfile::Portable {
        document.each(|schema| notes::write(schema, Side::Input));
    }

    let warnings = warnings(&mut document);
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
    Ok(Prepared::new(root.finish()?, source, warnings))
}

/// The input schema of a tool that takes its arguments as one type.
///
/// # Errors
/// When the type is not always an object; the text is for the author.
pub(crate) fn input_from_type(schema: SchemaFn, profile: SchemaProfile) -> Result<Prepared, SchemaError> {
    let mut document = generate([schema], Side::Input);
    document.inline_root(0);
    let is_object = if profile == SchemaProfile::Portable {
        document.each(|schema| normalise(schema, Side::Input));
        if document.inline() {
            document.each(|schema| normalise(schema, Side::Input));
        }
        let merged = root::object(&mut document).is_some();
        document.drop_unused();
        document.each(|schema| notes::write(schema, Side::Input));
        merged
    } else {
        document.roots.first_mut().and_then(as_object).is_some_and(is_object)
    };
    if !is_object {
        return Err(SchemaError::new(
            "the arguments of a call are a JSON object, but this type is not always one\n\
             use a struct with named fields, or an enum whose every variant is an object",
        ));
    }
    let warnings = warnings(&mut document);
    Ok(Prepared::new(write_root(&document)?, Source::Type(schema), warnings))
}

/// The output schema of a tool: what serde writes for the type.
///
/// # Errors
/// Only when the schema cannot be written as JSON.
pub(crate) fn output(schema: SchemaFn, profile: SchemaProfile) -> Result<Output, SchemaError> {
    let mut document = generate([schema], Side::Output);
    document.inline_root(0);
    if profile == SchemaProfile::Portable {
        document.each(|schema| normalise(schema, Side::Output));
        if document.inline() {
            document.each(|schema| normalise(schema, Side::Output));
        }
        document.each(|schema| notes::write(schema, Side::Output));
    }
    document.drop_unused();
    let is_object = document.roots.first_mut().and_then(as_object).is_some_and(is_object);
    let wrapped = if is_object {
        None
    } else {
        let mut result = Members::default();
        result.add("result", document.roots.first().unwrap_or(&Value::Null).into());
        let mut root = Members::default();
        root.add("type", Value::from("object").into());
        root.add("properties", Member::Members(result));
        root.add("required", json!(["result"]).into());
        root.add_definitions(&document.definitions);
        Some(root.finish()?)
    };
    Ok(Output::new(write_root(&document)?, wrapped))
}

/// Schemas as schemars makes them, with what they refer to.
pub(super) fn generate(schemas: impl IntoIterator<Item = SchemaFn>, side: Side) -> Document {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let settings = match side {
        Side::Input => settings.for_deserialize(),
        Side::Output => settings.for_serialize(),
    };
    let mut generator = SchemaGenerator::new(settings);
    let roots = schemas.into_iter().map(|schema| schema(&mut generator).to_value()).collect();
    let mut document = Document { roots, definitions: generator.take_definitions(false) };
    document.each(|schema| flattened_units(schema, 0));
    document
}

/// A flattened enum writes a unit variant as `{"Variant": null}`. schemars knows that only for variants without a doc
/// comment and leaves others as strings, which no object can be.
fn flattened_units(schema: &mut Value, depth: usize) {
    let Value::Object(map) = schema else { return };
    if depth > MAX_DEPTH {
        return;
    }
    if map.keyword("type").is_some_and(|kind| kind == "object") {
        units_to_objects(map, depth);
    }
    each_child(map, &mut |child| flattened_units(child, depth + 1));
}

fn units_to_objects(map: &mut Map<String, Value>, depth: usize) {
    for keyword in ["oneOf", "anyOf", "allOf"] {
        let branches = map.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten();
        for branch in branches.filter_map(Value::as_object_mut) {
            let name = branch.keyword("const").and_then(Value::as_str).map(str::to_owned);
            if let (Some(name), true) = (name, branch.keyword("type").is_some_and(|kind| kind == "string")) {
                branch.remove("const");
                branch.set("type", "object".into());
                branch.set("required", json!([&name]));
                branch.set("properties", json!({name: {"type": "null"}}));
            } else if depth <= MAX_DEPTH && !branch.has("type") {
                units_to_objects(branch, depth + 1);
            }
        }
    }
}

/// A schema as an object: `true` accepts everything, as `{}` does.
fn as_object(schema: &mut Value) -> Option<&mut Map<String, Value>> {
    if let Value::Bool(false) = schema {
        *schema = json!({"not": {}});
    } else if !schema.is_object() {
        *schema = Value::Object(Map::new());
    }
    schema.as_object_mut()
}

fn annotate(schema: &mut Map<String, Value>, property: &Property<'_>) {
    let mut put = |keyword: &str, value: Value| {
        schema.insert(keyword.to_owned(), value);
    };
    if let Some(title) = property.title {
        put("title", title.into());
    }
    if !property.description.is_empty() {
        put("description", property.description.into());
    }
    if let Some(default) = property.default.as_ref().filter(|default| !default.is_null()) {
        put("default", default.clone());
    }
    if let Some(example) = &property.example {
        put("examples", Value::Array(vec![example.clone()]));
    }
}

/// Whether it is an HTTP token.
pub(crate) fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

/// Clients drop a tool whose header annotation breaks a rule, so each is checked here.
fn put_header(
    name: &str,
    header: &str,
    schema: &mut Map<String, Value>,
    seen: &mut Vec<String>,
) -> Result<(), SchemaError> {
    if !is_header_name(header) {
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

/// Whether every value is an object; if so, the schema says it at its top.
fn is_object(root: &mut Map<String, Value>) -> bool {
    let all_objects = |branches: &Value| {
        let mut branches = branches.as_array().into_iter().flatten().peekable();
        branches.peek().is_some() && branches.all(|branch| branch.get("type").is_some_and(|kind| kind == "object"))
    };
    let says_so = root.keyword("type").is_some_and(|kind| kind == "object");
    let each_is = root.keyword("type").is_none()
        && (["anyOf", "oneOf"].iter().filter_map(|union| root.get(*union)).any(all_objects));
    if each_is {
        root.set("type", "object".into());
    }
    says_so || each_is
}

/// What clients see but is not enforced here: patterns in another dialect, references to elsewhere.
pub(super) fn warnings(document: &mut Document) -> Vec<String> {
    fn look(schema: &mut Value, depth: usize, found: &mut Vec<String>) {
        let Value::Object(map) = schema else { return };
        if depth > MAX_DEPTH {
            return;
        }
        let text = |keyword| map.keyword(keyword).and_then(Value::as_str);
        if let Some((pattern, error)) = text("pattern").and_then(|text| Some((text, pattern_error(text)?))) {
            found.push(format!("pattern `{pattern}` is shown to clients but not enforced: {error}"));
        }
        if let Some(target) = text("$ref").filter(|target| *target != "#" && !target.starts_with("#/")) {
            found.push(format!("`$ref` to `{target}` is shown to clients but not followed"));
        }
        each_child(map, &mut |child| look(child, depth + 1, found));
    }
    let mut found = Vec::new();
    document.each(|schema| look(schema, 0, &mut found));
    found.dedup();
    found
}

/// The first reference that leads out of the schema, to a file or an address: nothing is fetched from there.
pub(super) fn elsewhere(document: &mut Document) -> Option<String> {
    fn look(schema: &mut Value, depth: usize, found: &mut Option<String>) {
        let Value::Object(map) = schema else { return };
        if depth > MAX_DEPTH || found.is_some() {
            return;
        }
        let target = map.keyword("$ref").and_then(Value::as_str).filter(|target| !target.starts_with('#'));
        *found = target.map(str::to_owned);
        each_child(map, &mut |child| look(child, depth + 1, found));
    }
    let mut found = None;
    document.each(|schema| look(schema, 0, &mut found));
    found
}
