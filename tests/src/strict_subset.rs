//! The part of JSON Schema that the strictest providers of models take (OpenAI's structured outputs and those that copy it):
//! what is outside of it makes them refuse a tool, or all tools, of a server.

use serde_json::{Map, Value};

/// Nested deeper than this a schema is refused.
const DEPTH: usize = 10;

/// The keywords that are known, beside those of annotations.
const KEYWORDS: [&str; 22] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "anyOf",
    "$ref",
    "$defs",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "const",
];

/// Keywords that say something to readers only. `x-mcp-header` is the protocol's own.
const ANNOTATIONS: [&str; 5] = ["title", "description", "default", "examples", "x-mcp-header"];

/// Everything in the schema of a tool's arguments that is outside of the subset, with its place.
#[must_use]
pub fn outside_of_strict_subset(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    if schema["type"] != "object" {
        found.push("the root is no object".to_owned());
    }
    check(schema, schema, "", 0, &mut found);
    found
}

fn check(root: &Value, schema: &Value, at: &str, depth: usize, found: &mut Vec<String>) {
    let mut say = |what: String| found.push(format!("{at}: {what}"));
    let Some(members) = schema.as_object() else {
        return say(format!("a schema is an object, not {schema}"));
    };
    if depth > DEPTH {
        return say("nested too deep".to_owned());
    }
    for keyword in members.keys() {
        if !KEYWORDS.contains(&keyword.as_str()) && !ANNOTATIONS.contains(&keyword.as_str()) {
            say(format!("`{keyword}` is not known"));
        }
    }
    check_kind(root, members, &mut say);
    if members.get("additionalProperties").is_some_and(|more| !more.is_boolean()) {
        let more = &members["additionalProperties"];
        check(root, more, &format!("{at}/additionalProperties"), depth + 1, found);
    }
    for keyword in ["properties", "$defs"] {
        for (name, inner) in members.get(keyword).and_then(Value::as_object).into_iter().flatten() {
            check(root, inner, &format!("{at}/{keyword}/{name}"), depth + 1, found);
        }
    }
    for (index, inner) in members.get("anyOf").and_then(Value::as_array).into_iter().flatten().enumerate() {
        check(root, inner, &format!("{at}/anyOf/{index}"), depth + 1, found);
    }
    if let Some(items) = members.get("items") {
        check(root, items, &format!("{at}/items"), depth + 1, found);
    }
}

/// One type, or a union, or a reference that can be followed; with what belongs to the type.
fn check_kind(root: &Value, members: &Map<String, Value>, say: &mut impl FnMut(String)) {
    if let Some(target) = members.get("$ref") {
        let pointer = target.as_str().and_then(|target| target.strip_prefix('#'));
        if pointer.and_then(|pointer| root.pointer(pointer)).is_none() {
            say(format!("{target} leads nowhere"));
        }
        return;
    }
    let is_any_value = members.keys().all(|keyword| ANNOTATIONS.contains(&keyword.as_str()));
    match members.get("type") {
        Some(Value::String(kind)) => {
            if kind == "object" && !members.contains_key("properties") && !members.contains_key("additionalProperties")
            {
                say("an object without `properties`".to_owned());
            }
            if kind == "array" && !members.contains_key("items") {
                say("an array without `items`".to_owned());
            }
            for name in members.get("required").and_then(Value::as_array).into_iter().flatten() {
                let is_there = name.as_str().is_some_and(|name| members["properties"].get(name).is_some());
                if !is_there {
                    say(format!("{name} is required and no property"));
                }
            }
        }
        Some(several) => say(format!("the type is {several}, not one")),
        None if members.contains_key("anyOf") || members.contains_key("enum") || is_any_value => {}
        None => say("no type".to_owned()),
    }
    if let Some(values) = members.get("enum")
        && values.as_array().is_none_or(|values| values.is_empty() || values.len() > 1000)
    {
        say("an enum of no or too many values".to_owned());
    }
}
