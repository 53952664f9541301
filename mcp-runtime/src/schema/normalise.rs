//! The shape that every client takes: each rule answers reports of a client that dropped a tool, or all tools of a
//! server. Works on one schema from the inside out; references stay references here (see `inline`).

use serde_json::{Map, Value, json};

use super::{MAX_DEPTH, notes::NOTES, union};

/// Whether a schema describes what serde reads or what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// What a client sends: an optional value is left out, so `null` is never advertised.
    Input,
    /// What a client receives: `null` is one of the values.
    Output,
}

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
const NAMED: [&str; 4] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
];

/// Keywords that say something to the reader and nothing about the value.
const ANNOTATIONS: [&str; 8] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
];

/// Keywords that are about one type only.
const OF_TYPE: [(&str, &[&str]); 5] = [
    (
        "string",
        &[
            "minLength",
            "maxLength",
            "pattern",
            "format",
            "contentEncoding",
            "contentMediaType",
        ],
    ),
    ("number", NUMERIC),
    ("integer", NUMERIC),
    (
        "array",
        &[
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
        ],
    ),
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

const NUMERIC: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];

/// Brings a schema and all schemas inside it into the portable shape. Doing it again changes nothing.
pub(super) fn normalise(schema: &mut Value, side: Side) {
    visit(schema, side, 0);
}

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
            value
                .as_object_mut()
                .into_iter()
                .flatten()
                .for_each(|(_, child)| f(child));
        }
    }
}

fn visit(schema: &mut Value, side: Side, depth: usize) {
    if let Value::Bool(false) = schema {
        *schema = json!({"not": {}});
        return;
    }
    let Value::Object(map) = schema else {
        *schema = Value::Object(Map::new());
        return;
    };
    if depth > MAX_DEPTH {
        return;
    }
    if is_never(map) {
        make_never(map);
        return;
    }
    remove_foreign(map, side);
    one_of_to_any_of(map);
    if side == Side::Input {
        strip_null(map);
    }
    let properties_open = map.remove("additionalProperties");
    each_child(map, &mut |child| visit(child, side, depth + 1));
    additional_properties(map, properties_open, side, depth);
    tuple_to_items(map);
    const_to_enum(map);
    union::simplify(map);
    union::merge_single_all_of(map);
    if is_never(map) {
        return;
    }
    one_type(map);
    infer_type(map);
    drop_foreign_format(map);
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

fn remove_foreign(map: &mut Map<String, Value>, side: Side) {
    for keyword in ["$schema", "$id", "not"] {
        map.remove(keyword);
    }
    // OpenAPI's word for "or null".
    let nullable = map.remove("nullable") == Some(Value::Bool(true));
    if side == Side::Output {
        // `default` is about what may be left out of an input.
        map.remove("default");
        if let (true, Some(Value::String(kind))) = (nullable, map.get("type")) {
            let kinds = json!([kind, "null"]);
            map.insert("type".to_owned(), kinds);
        }
    }
}

fn one_of_to_any_of(map: &mut Map<String, Value>) {
    let Some(branches) = map.remove("oneOf") else {
        return;
    };
    match map.remove("anyOf") {
        None => map.insert("anyOf".to_owned(), branches),
        Some(others) => {
            let mut all: Vec<Value> = match map.remove("allOf") {
                Some(Value::Array(all)) => all,
                _ => Vec::new(),
            };
            all.extend([json!({"anyOf": others}), json!({"anyOf": branches})]);
            map.insert("allOf".to_owned(), Value::Array(all))
        }
    };
}

/// Takes `null` out of what is advertised. What accepts nothing else becomes an empty object, which decoding turns
/// back into `null`.
fn strip_null(map: &mut Map<String, Value>) {
    if map.get("default") == Some(&Value::Null) {
        map.remove("default");
    }
    if let Some(Value::Array(examples)) = map.get_mut("examples") {
        examples.retain(|example| !example.is_null());
    }
    let only_null = is_null(map);
    if let Some(Value::Array(kinds)) = map.get_mut("type") {
        kinds.retain(|kind| kind != "null");
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let mut all_null = only_null;
    if let Some(Value::Array(branches)) = map.get_mut("anyOf") {
        let before = branches.len();
        branches.retain(|branch| !branch.as_object().is_some_and(is_null));
        all_null |= before > 0 && branches.is_empty();
    }
    if all_null {
        map.retain(|keyword, _| is_annotation(keyword));
        map.insert("type".to_owned(), "object".into());
        map.insert("properties".to_owned(), json!({}));
        map.insert("additionalProperties".to_owned(), false.into());
    }
}

fn is_null(map: &Map<String, Value>) -> bool {
    let kind = match map.get("type") {
        Some(Value::Array(kinds)) => !kinds.is_empty() && kinds.iter().all(|kind| kind == "null"),
        Some(kind) => kind == "null",
        None => false,
    };
    let values = match (map.get("const"), map.get("enum")) {
        (Some(value), _) => value.is_null(),
        (None, Some(Value::Array(values))) => {
            !values.is_empty() && values.iter().all(Value::is_null)
        }
        _ => false,
    };
    kind || values
}

/// Whether other keys are allowed. The type of their values is kept here and told in words by `notes`.
fn additional_properties(
    map: &mut Map<String, Value>,
    open: Option<Value>,
    side: Side,
    depth: usize,
) {
    let unevaluated = map.remove("unevaluatedProperties");
    let mut open = open;
    if side == Side::Input {
        open = open.or(unevaluated.filter(Value::is_object));
        if let Some(Value::Object(patterns)) = map.remove("patternProperties") {
            let mut schemas: Vec<Value> = Vec::new();
            for (_, schema) in patterns {
                if !schemas.contains(&schema) {
                    schemas.push(schema);
                }
            }
            if schemas.len() == 1 && !open.as_ref().is_some_and(Value::is_object) {
                open = schemas.pop();
            } else if !schemas.is_empty() {
                open = Some(Value::Bool(true));
            }
        }
    }
    let has_properties = map
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|map| !map.is_empty());
    let open = match open {
        Some(Value::Object(schema)) => {
            let mut schema = Value::Object(schema);
            visit(&mut schema, side, depth + 1);
            if schema.as_object().is_some_and(Map::is_empty) {
                Value::Bool(true)
            } else {
                schema
            }
        }
        Some(open) => open,
        None => return,
    };
    if open != Value::Bool(true) || !has_properties {
        map.insert("additionalProperties".to_owned(), open);
    }
}

/// A tuple as an array of a fixed length, each item one of the tuple's types: `prefixItems` is refused by many.
fn tuple_to_items(map: &mut Map<String, Value>) {
    let Some(Value::Array(prefix)) = map.remove("prefixItems") else {
        return;
    };
    let mut branches: Vec<Value> = Vec::new();
    for schema in prefix
        .into_iter()
        .chain(map.remove("items").filter(Value::is_object))
    {
        if !branches.contains(&schema) {
            branches.push(schema);
        }
    }
    let items = match (branches.len(), branches.pop()) {
        (1, Some(only)) => only,
        (_, None) => return,
        (_, Some(last)) => {
            branches.push(last);
            let mut union = Map::new();
            union.insert("anyOf".to_owned(), Value::Array(branches));
            union::simplify(&mut union);
            Value::Object(union)
        }
    };
    map.insert("items".to_owned(), items);
}

fn const_to_enum(map: &mut Map<String, Value>) {
    if let Some(value) = map.remove("const") {
        map.insert("enum".to_owned(), Value::Array(vec![value]));
    }
}

/// Exactly one `type` for each schema: several types become the branches of an `anyOf`.
fn one_type(map: &mut Map<String, Value>) {
    let values = map.get("enum").and_then(Value::as_array);
    let mut kinds: Vec<String> = match (map.get("type"), values) {
        (Some(Value::Array(kinds)), _) => kinds
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        (Some(_), _) | (None, None) => return,
        (None, Some(values)) => values
            .iter()
            .map(|value| type_of(value).to_owned())
            .collect(),
    };
    kinds.sort_by_key(|kind| kind == "null");
    let numbers = kinds.iter().any(|kind| kind == "number");
    let mut seen: Vec<String> = Vec::new();
    for kind in kinds {
        if !seen.contains(&kind) && !(numbers && kind == "integer") {
            seen.push(kind);
        }
    }
    map.remove("type");
    match seen.as_slice() {
        [] => {}
        [only] => {
            map.insert("type".to_owned(), only.as_str().into());
        }
        _ if map.contains_key("anyOf") => {}
        several => split(map, several),
    }
}

fn split(map: &mut Map<String, Value>, kinds: &[String]) {
    let values = map.remove("enum");
    let branches = kinds.iter().filter_map(|kind| {
        let mut branch = Map::new();
        branch.insert("type".to_owned(), kind.as_str().into());
        if let Some(Value::Array(values)) = &values {
            let is_of =
                |value: &&Value| type_of(value) == kind || kind == "number" && value.is_number();
            let own: Vec<Value> = values.iter().filter(is_of).cloned().collect();
            if own.is_empty() {
                return None;
            }
            if kind != "null" {
                branch.insert("enum".to_owned(), Value::Array(own));
            }
        }
        for keyword in keywords_of(kind) {
            if let Some(value) = map.get(*keyword) {
                branch.insert((*keyword).to_owned(), value.clone());
            }
        }
        infer_type(&mut branch);
        drop_foreign_format(&mut branch);
        Some(Value::Object(branch))
    });
    let branches: Vec<Value> = branches.collect();
    map.retain(|keyword, _| {
        !OF_TYPE
            .iter()
            .any(|(_, keywords)| keywords.contains(&keyword.as_str()))
    });
    map.insert("anyOf".to_owned(), Value::Array(branches));
}

fn keywords_of(kind: &str) -> &'static [&'static str] {
    OF_TYPE
        .iter()
        .find(|(name, _)| *name == kind)
        .map_or(&[], |(_, keywords)| keywords)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if super::number::is_integer(number) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A schema that says something about values has a `type` (or `enum`, `anyOf`, `$ref`): without one, clients send text.
fn infer_type(map: &mut Map<String, Value>) {
    if map.contains_key("type") || map.contains_key("$ref") {
        return;
    }
    let own = OF_TYPE
        .iter()
        .rev()
        .find(|(_, keywords)| keywords.iter().any(|keyword| map.contains_key(*keyword)));
    let kind = own.map(|(kind, _)| *kind).or_else(|| {
        let parts = map.get("allOf").and_then(Value::as_array)?;
        let objects = parts
            .iter()
            .any(|part| part.get("type").is_some_and(|kind| kind == "object"));
        objects.then_some("object")
    });
    // "integer" and "number" share their keywords; the wider one is right.
    let kind = kind.map(|kind| if kind == "integer" { "number" } else { kind });
    if let Some(kind) = kind.filter(|kind| *kind == "object" || !map.contains_key("anyOf")) {
        map.insert("type".to_owned(), kind.into());
    }
}

fn drop_foreign_format(map: &mut Map<String, Value>) {
    let known = map
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(|format| FORMATS.contains(&format));
    let text = map.get("type").is_none_or(|kind| kind == "string");
    if !(known && text) {
        map.remove("format");
    }
}
