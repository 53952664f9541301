//! The `type` of a schema: exactly one wherever a schema says anything about values.

use serde_json::{Map, Value};

use super::keywords::{Keywords, OF_TYPE, keywords_of, type_of};

/// The formats that JSON Schema itself defines; others make strict clients warn about, or refuse, the whole list.
const FORMATS: [&str; 19] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Exactly one `type` for each schema: several types become the branches of an `anyOf`.
pub(super) fn one_type(map: &mut Map<String, Value>) {
    let values = map.keyword("enum").and_then(Value::as_array);
    let mut kinds: Vec<String> = match (map.keyword("type"), values) {
        (Some(Value::Array(kinds)), _) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        (Some(_), _) | (None, None) => return,
        (None, Some(values)) => values.iter().map(|value| type_of(value).to_owned()).collect(),
    };
    if let Some(place) = kinds.iter().position(|kind| kind == "null") {
        let null = kinds.remove(place);
        kinds.push(null);
    }
    let numbers = kinds.iter().any(|kind| kind == "number");
    let mut seen: Vec<String> = Vec::new();
    for kind in kinds {
        let covered = numbers && kind == "integer";
        if !covered && !seen.contains(&kind) {
            seen.push(kind);
        }
    }
    map.remove("type");
    match seen.as_slice() {
        [] => {}
        [only] => {
            map.set("type", only.as_str().into());
        }
        _ if map.has("anyOf") => {}
        several => split(map, several),
    }
}

fn split(map: &mut Map<String, Value>, kinds: &[String]) {
    let values = map.remove("enum");
    let branches = kinds.iter().filter_map(|kind| {
        let mut branch = Map::new();
        branch.set("type", kind.as_str().into());
        if let Some(Value::Array(values)) = &values {
            let is_of = |value: &&Value| type_of(value) == kind || kind == "number" && value.is_number();
            let own: Vec<Value> = values.iter().filter(is_of).cloned().collect();
            if own.is_empty() {
                return None;
            }
            if kind != "null" {
                branch.set("enum", Value::Array(own));
            }
        }
        for keyword in keywords_of(kind) {
            if let Some(value) = map.keyword(keyword) {
                branch.insert((*keyword).to_owned(), value.clone());
            }
        }
        infer_type(&mut branch);
        drop_foreign_format(&mut branch);
        Some(Value::Object(branch))
    });
    let branches: Vec<Value> = branches.collect();
    map.retain(|keyword, _| !OF_TYPE.iter().any(|(_, keywords)| keywords.contains(&keyword.as_str())));
    map.set("anyOf", Value::Array(branches));
}

/// A schema that says something about values has a `type` (or `enum`, `anyOf`, `$ref`): without one, clients send text.
pub(super) fn infer_type(map: &mut Map<String, Value>) {
    if map.has("type") || map.has("$ref") {
        return;
    }
    let own = OF_TYPE.iter().rev().find(|(_, keywords)| keywords.iter().any(|keyword| map.has(keyword)));
    let kind = own.map(|(kind, _)| *kind).or_else(|| {
        let parts = map.keyword("allOf").and_then(Value::as_array)?;
        let objects = parts.iter().any(|part| part.get("type").is_some_and(|kind| kind == "object"));
        objects.then_some("object")
    });
    // "integer" and "number" share their keywords; the wider one is right.
    let kind = kind.map(|kind| if kind == "integer" { "number" } else { kind });
    if let Some(kind) = kind.filter(|kind| *kind == "object" || !map.has("anyOf")) {
        map.set("type", kind.into());
    }
}

pub(super) fn drop_foreign_format(map: &mut Map<String, Value>) {
    let known = map.keyword("format").and_then(Value::as_str).is_some_and(|format| FORMATS.contains(&format));
    let text = map.keyword("type").is_none_or(|kind| kind == "string");
    if !(known && text) {
        map.remove("format");
    }
}
