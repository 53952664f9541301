//! What a portable schema cannot say in keywords, said in its description: the meaning of an enum's values, and what
//! the values of a map are. Kept apart from the description until the end, because a parameter's own description
//! replaces that of its type and must not lose these.

use serde_json::{Map, Value};

use super::{
    keywords::{Keywords, each_child},
    normalise::Side,
    union,
};

/// Where notes wait; no schema has this keyword.
pub(super) const NOTES: &str = "\u{1}notes";

/// Adds a line to the notes of a schema.
pub(super) fn add(map: &mut Map<String, Value>, line: String) {
    let notes = map.entry(NOTES).or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(lines) = notes {
        lines.push(Value::String(line));
    }
}

/// The notes of a schema so far.
pub(super) fn of(map: &Map<String, Value>) -> Vec<String> {
    let lines = map.keyword(NOTES).and_then(Value::as_array).into_iter().flatten();
    lines.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Turns notes into text, in this schema and all schemas inside it.
///
/// On the input side this is also where the values of a map leave the keywords: Claude Desktop and Codex read
/// `additionalProperties` as a boolean and drop the tool when it is a schema.
pub(super) fn write(schema: &mut Value, side: Side) {
    let Value::Object(map) = schema else { return };
    each_child(map, &mut |child| write(child, side));
    if side == Side::Input {
        if let Some(values) = map.keyword("additionalProperties").filter(|open| open.is_object()) {
            let keys = if union::has_properties(map) { "Further keys are allowed" } else { "Any keys" };
            let line = format!("{keys}; each value {}.", value_in_words(values));
            add(map, line);
            map.set("additionalProperties", Value::Bool(true));
        }
    }
    let Some(Value::Array(lines)) = map.remove(NOTES) else { return };
    if !lines.is_empty() {
        let own = map.keyword("description").and_then(Value::as_str);
        let text = own.into_iter().chain(lines.iter().filter_map(Value::as_str)).collect::<Vec<_>>().join("\n");
        map.set("description", text.into());
    }
}

fn value_in_words(schema: &Value) -> String {
    let plain =
        schema.as_object().filter(|map| map.len() == 1).and_then(|map| map.keyword("type")).and_then(Value::as_str);
    match plain {
        Some(kind @ ("integer" | "object" | "array")) => format!("is an {kind}"),
        Some(kind) => format!("is a {kind}"),
        None => format!("matches {schema}"),
    }
}
