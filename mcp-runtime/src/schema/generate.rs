//! From types to the schemas that are sent: generate, normalise, inline, annotate, write.
//!
//! For types that schemars knows; it is found through them (see `source`).

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use super::{
    MAX_DEPTH, Output, Prepared, Property, SchemaError, SchemaProfile,
    inline::Document,
    input::{as_object, limit, write},
    keywords::{Keywords, each_child},
    normalise::{Side, normalise},
    notes,
    pattern::{self, pattern_error},
    prepared::Source,
    root,
    source::TypeSchema,
    write::{Member, Members, write_root},
};

/// The input schema of a tool from its properties, of which some are not plain.
pub(super) fn input(properties: Vec<Property>, profile: SchemaProfile) -> Result<Prepared, SchemaError> {
    let types: Vec<_> = properties.iter().map(|property| property.schema).collect();
    let mut document = generate(&types, Side::Input);
    if profile == SchemaProfile::Portable {
        document.each(|schema| normalise(schema, Side::Input));
    }
    for (schema, property) in document.roots.iter_mut().zip(&properties) {
        if let Some(schema) = as_object(schema) {
            property.annotate(schema);
        }
    }
    if profile == SchemaProfile::Portable && document.inline() {
        document.each(|schema| normalise(schema, Side::Input));
    }
    for (index, property) in properties.iter().enumerate() {
        if !property.constraints.is_empty() || property.header.is_some() {
            document.inline_root(index);
        }
    }
    limit(document.roots.iter_mut().filter_map(as_object).map(|schema| schema as _), &properties)?;
    // Before the notes: they may mention a definition that no keyword refers to any more.
    document.drop_unused();
    if profile == SchemaProfile::Portable {
        document.each(|schema| notes::write(schema, Side::Input));
    }
    let warnings = warnings(&mut document);
    let wire = write(document.roots.iter().map(Member::from), &document.definitions, &properties)?;
    Ok(Prepared::new(wire, Source::Properties(properties, profile), warnings))
}

/// The input schema of a tool that takes its arguments as one type.
///
/// # Errors
/// When the type is not always an object; the text is for the author.
pub(super) fn input_from_type(schema: TypeSchema, profile: SchemaProfile) -> Result<Prepared, SchemaError> {
    let mut document = generate(&[schema], Side::Input);
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
        return Err(SchemaError::no_object());
    }
    let warnings = warnings(&mut document);
    Ok(Prepared::new(write_root(&document)?, Source::Type(schema), warnings))
}

/// The output schema of a tool: what serde writes for the type.
///
/// # Errors
/// Only when the schema cannot be written as JSON.
pub(super) fn output(schema: TypeSchema, profile: SchemaProfile) -> Result<Output, SchemaError> {
    let mut document = generate(&[schema], Side::Output);
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
    Ok(Output::new(write_root(&document)?, wrapped, pattern::compile))
}

/// Schemas as schemars makes them, with what they refer to.
pub(super) fn generate(types: &[TypeSchema], side: Side) -> Document {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let settings = match side {
        Side::Input => settings.for_deserialize(),
        Side::Output => settings.for_serialize(),
    };
    let mut generator = SchemaGenerator::new(settings);
    let roots = types.iter().map(|schema| match schema {
        TypeSchema::Plain(plain) => plain.read(),
        TypeSchema::Made(make, _) => make(&mut generator).to_value(),
    });
    let roots = roots.collect();
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
        found.extend(text("pattern").and_then(pattern_error));
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
