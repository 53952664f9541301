//! What the keywords of a schema hold: other schemas, data, or words for the reader.

use serde_json::{Map, Value, json};

use super::{notes::NOTES, number};

/// Keywords whose value is one schema.
const ONE: [&str; 10] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "not",
    "contains",
    "propertyNames",
    "if",
    "then",
    "else",
];

/// Keywords whose value is a list of schemas.
const LIST: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];

/// Keywords whose value is schemas by name.
const NAMED: [&str; 4] = ["properties", "patternProperties", "dependentSchemas", "$defs"];

/// Keywords that say something to the reader and nothing about the value.
const ANNOTATIONS: [&str; 8] =
    ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"];

/// Keywords that are about one type only.
pub(super) const OF_TYPE: [(&str, &[&str]); 5] = [
    ("string", &["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"]),
    ("number", NUMERIC),
    ("integer", NUMERIC),
    ("array", &["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]),
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "unevaluatedProperties",
        ],
    ),
];

const NUMERIC: &[&str] = &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// Whether a keyword only says something to the reader.
pub(super) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword) || keyword == NOTES || keyword.starts_with("x-")
}

/// Calls `f` with every schema directly inside this one; data (`enum`, `default`, …) is left alone.
pub(super) fn each_child(schema: &mut Map<String, Value>, f: &mut dyn FnMut(&mut Value)) {
    for (keyword, value) in schema.iter_mut() {
        let keyword = keyword.as_str();
        if ONE.contains(&keyword) {
            f(value);
        } else if LIST.contains(&keyword) {
            value.as_array_mut().into_iter().flatten().for_each(&mut *f);
        } else if NAMED.contains(&keyword) {
            value.as_object_mut().into_iter().flatten().for_each(|(_, child)| f(child));
        }
    }
}

/// Whether a schema accepts nothing: that of a type without values.
pub(super) fn is_never(map: &Map<String, Value>) -> bool {
    let not_anything = map.get("not").and_then(Value::as_object).is_some_and(Map::is_empty);
    not_anything && map.keys().all(|keyword| keyword == "not" || is_annotation(keyword))
}

/// Makes a schema accept nothing.
pub(super) fn make_never(map: &mut Map<String, Value>) {
    map.retain(|keyword, _| is_annotation(keyword));
    map.insert("not".to_owned(), json!({}));
}

/// The keywords that are about one type only.
pub(super) fn keywords_of(kind: &str) -> &'static [&'static str] {
    OF_TYPE.iter().find(|(name, _)| *name == kind).map_or(&[], |(_, keywords)| keywords)
}

/// The name of the type of a value.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number::is_integer(number) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
