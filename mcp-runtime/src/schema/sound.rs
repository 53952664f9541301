//! Whether a schema that was written by hand is one: a client whose validator refuses it drops the tool, or all tools.

use serde_json::Value;

use super::SchemaError;
use super::violation::{push_step, push_step_text, shorten};

/// What is looked at here is the same in all of them.
const DIALECTS: [&str; 4] = [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
];

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "integer", "string"];

/// Checks a schema against the rules for schemas.
pub(super) fn check(schema: &Value) -> Result<(), SchemaError> {
    if let Some(dialect) = schema.get("$schema") {
        let name = dialect.as_str().unwrap_or_default().trim_end_matches('#');
        if !DIALECTS.contains(&name) {
            let known = DIALECTS.join(", ");
            return Err(SchemaError::new(format!(
                "its dialect {} is not known here\nknown are {known}",
                shorten(dialect)
            )));
        }
    }
    let mut at = String::new();
    match fault(schema, &mut at) {
        None => Ok(()),
        Some(expected) => {
            let at = if at.is_empty() { "it".to_owned() } else { format!("`{at}` in it") };
            Err(SchemaError::new(format!("its schema is none: {at} must be {expected}")))
        }
    }
}

/// What should stand at the place that is wrong, which is left in `at`.
fn fault(schema: &Value, at: &mut String) -> Option<&'static str> {
    let members = match schema {
        Value::Object(members) => members,
        Value::Bool(_) => return None,
        _ => return Some("a schema: an object, `true` or `false`"),
    };
    for (keyword, value) in members {
        let before = at.len();
        push_step_text(at, keyword);
        let found = match keyword.as_str() {
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => each_member(value, at),
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => each_item(value, at),
            // Earlier dialects have a list of schemas here.
            "items" if value.is_array() => each_item(value, at),
            "items"
            | "additionalItems"
            | "contains"
            | "additionalProperties"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "not"
            | "if"
            | "then"
            | "else" => fault(value, at),
            _ => plain(keyword, value),
        };
        if found.is_some() {
            return found;
        }
        at.truncate(before);
    }
    None
}

fn each_member(value: &Value, at: &mut String) -> Option<&'static str> {
    let Some(members) = value.as_object() else { return Some("an object of schemas") };
    members.iter().find_map(|(name, schema)| {
        let before = at.len();
        push_step_text(at, name);
        let found = fault(schema, at);
        if found.is_none() {
            at.truncate(before);
        }
        found
    })
}

fn each_item(value: &Value, at: &mut String) -> Option<&'static str> {
    let Some(items) = value.as_array().filter(|items| !items.is_empty()) else { return Some("a list of schemas") };
    items.iter().enumerate().find_map(|(index, schema)| {
        let before = at.len();
        push_step(at, index);
        let found = fault(schema, at);
        if found.is_none() {
            at.truncate(before);
        }
        found
    })
}

/// The keywords that hold no schema.
fn plain(keyword: &str, value: &Value) -> Option<&'static str> {
    let is_type = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    let are_texts = |value: &Value| value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
    let (is_good, expected) = match keyword {
        "type" => {
            let several = |items: &Vec<Value>| !items.is_empty() && items.iter().all(is_type);
            (is_type(value) || value.as_array().is_some_and(several), "the name of a type, or a list of such names")
        }
        "required" => (are_texts(value), "a list of names"),
        "dependentRequired" => {
            (value.as_object().is_some_and(|members| members.values().all(are_texts)), "an object of lists of names")
        }
        "enum" | "examples" => (value.is_array(), "a list"),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => (value.is_number(), "a number"),
        "multipleOf" => (value.as_f64().is_some_and(|number| number > 0.0), "a number greater than 0"),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => {
            let is_count =
                value.is_u64() || value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0);
            (is_count, "a whole number from 0 on")
        }
        "pattern" | "format" | "title" | "description" | "$ref" | "$id" | "$anchor" | "$comment" | "$schema"
        | "$dynamicRef" | "$dynamicAnchor" | "contentEncoding" | "contentMediaType" => (value.is_string(), "a string"),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => (value.is_boolean(), "`true` or `false`"),
        // Others are the author's own, or say nothing that could be wrong.
        _ => (true, ""),
    };
    if is_good { None } else { Some(expected) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_a_schema_passes() {
        for schema in [
            json!(true),
            json!({}),
            json!({"type": ["string", "null"], "x-own": 1, "nullable": true, "default": [], "const": null}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}, false]}),
            json!({"properties": {"type": {"type": "string"}, "required": {}}, "required": ["type"], "minLength": 2.0}),
            json!({"dependentRequired": {"a": ["b"]}, "if": {"required": ["n"]}, "then": true, "oneOf": [{}]}),
        ] {
            assert_eq!(check(&schema), Ok(()), "{schema}");
        }
    }

    #[test]
    fn what_is_none_is_named_by_its_place() {
        for (schema, said) in [
            (json!(5), "it must be a schema"),
            (json!({"type": "strng"}), "`/type` in it must be the name of a type"),
            (json!({"type": []}), "`/type`"),
            (json!({"properties": []}), "`/properties` in it must be an object of schemas"),
            (json!({"properties": {"a": {"items": {"type": "int"}}}}), "`/properties/a/items/type`"),
            (json!({"properties": {"a": "string"}}), "`/properties/a` in it must be a schema"),
            (json!({"required": true}), "`/required` in it must be a list of names"),
            (json!({"anyOf": []}), "`/anyOf` in it must be a list of schemas"),
            (json!({"anyOf": [{}, 1]}), "`/anyOf/1`"),
            (json!({"enum": "a"}), "`/enum` in it must be a list"),
            (json!({"minimum": "1"}), "`/minimum` in it must be a number"),
            (json!({"exclusiveMinimum": true}), "`/exclusiveMinimum`"),
            (json!({"multipleOf": 0}), "`/multipleOf`"),
            (json!({"maxLength": -1}), "`/maxLength` in it must be a whole number"),
            (json!({"pattern": 1}), "`/pattern` in it must be a string"),
            (json!({"not": [1]}), "`/not` in it must be a schema"),
            (
                json!({"$schema": "https://example.com/mine"}),
                "its dialect \"https://example.com/mine\" is not known here",
            ),
        ] {
            let error = check(&schema).unwrap_err().to_string();
            assert!(error.contains(said), "{schema}: {error}");
        }
    }
}
