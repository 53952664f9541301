//! What the keywords of a schema hold: other schemas, data, or words for the reader.

use serde_json::{Map, Value, json};

use super::{notes::NOTES, number};

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

/// The keywords of a schema. Their own functions, because a search through a tree is some 200 bytes of code wherever it is
/// written out.
pub(super) trait Keywords {
    /// What a keyword holds.
    fn keyword(&self, keyword: &str) -> Option<&Value>;

    /// Whether there is this keyword.
    fn has(&self, keyword: &str) -> bool {
        self.keyword(keyword).is_some()
    }

    /// Sets a keyword, in place of what it held.
    fn set(&mut self, keyword: &str, value: Value);
}

impl Keywords for Map<String, Value> {
    #[inline(never)]
    fn keyword(&self, keyword: &str) -> Option<&Value> {
        self.get(keyword)
    }

    #[inline(never)]
    fn set(&mut self, keyword: &str, value: Value) {
        self.insert(keyword.to_owned(), value);
    }
}

/// Calls `f` with every schema directly inside this one; data (`enum`, `default`, …) is left alone.
pub(super) fn each_child(schema: &mut Map<String, Value>, f: &mut dyn FnMut(&mut Value)) {
    for (keyword, value) in schema.iter_mut() {
        match keyword.as_str() {
            "items"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "not"
            | "contains"
            | "propertyNames"
            | "if"
            | "then"
            | "else" => f(value),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                value.as_array_mut().into_iter().flatten().for_each(&mut *f);
            }
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" => {
                value.as_object_mut().into_iter().flatten().for_each(|(_, child)| f(child));
            }
            _ => {}
        }
    }
}

/// Whether a schema accepts nothing: that of a type without values.
pub(super) fn is_never(map: &Map<String, Value>) -> bool {
    let not_anything = map.keyword("not").and_then(Value::as_object).is_some_and(Map::is_empty);
    not_anything && map.keys().all(|keyword| keyword == "not" || is_annotation(keyword))
}

/// Makes a schema accept nothing.
pub(super) fn make_never(map: &mut Map<String, Value>) {
    map.retain(|keyword, _| is_annotation(keyword));
    map.set("not", json!({}));
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
