//! The shape that every client takes: each rule answers reports of a client that dropped a tool, or all tools of a
//! server. Works on one schema from the inside out; references stay references here (see `inline`).

use serde_json::{Map, Value, json};

use super::{
    MAX_DEPTH,
    keywords::{Keywords, each_child, is_annotation, is_never, make_never},
    kinds::{drop_foreign_format, infer_type, one_type},
    union,
};

/// Whether a schema describes what serde reads or what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// What a client sends: an optional value is left out, so `null` is never advertised.
    Input,
    /// What a client receives: `null` is one of the values.
    Output,
}

/// Brings a schema and all schemas inside it into the portable shape.
pub(super) fn normalise(schema: &mut Value, side: Side) {
    visit(schema, side, 0);
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
    infer_type(map);
    union::simplify(map);
    union::merge_single_all_of(map);
    if is_never(map) {
        return;
    }
    one_type(map);
    infer_type(map);
    drop_foreign_format(map);
    let is_open = map.keyword("additionalProperties") == Some(&Value::Bool(true));
    if is_open && union::has_properties(map) {
        map.remove("additionalProperties");
    }
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
        if let (true, Some(Value::String(kind))) = (nullable, map.keyword("type")) {
            let kinds = json!([kind, "null"]);
            map.set("type", kinds);
        }
    }
}

fn one_of_to_any_of(map: &mut Map<String, Value>) {
    let Some(branches) = map.remove("oneOf") else {
        return;
    };
    match map.remove("anyOf") {
        None => map.set("anyOf", branches),
        Some(others) => {
            let mut all: Vec<Value> = match map.remove("allOf") {
                Some(Value::Array(all)) => all,
                _ => Vec::new(),
            };
            all.extend([json!({"anyOf": others}), json!({"anyOf": branches})]);
            map.set("allOf", Value::Array(all));
        }
    }
}

/// Takes `null` out of what is advertised. What accepts nothing else becomes an empty object, which decoding turns
/// back into `null`.
fn strip_null(map: &mut Map<String, Value>) {
    if map.keyword("default") == Some(&Value::Null) {
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
        map.set("type", "object".into());
        map.set("properties", json!({}));
        map.set("additionalProperties", false.into());
    }
}

fn is_null(map: &Map<String, Value>) -> bool {
    let kind = match map.keyword("type") {
        Some(Value::Array(kinds)) => !kinds.is_empty() && kinds.iter().all(|kind| kind == "null"),
        Some(kind) => kind == "null",
        None => false,
    };
    let values = match (map.keyword("const"), map.keyword("enum")) {
        (Some(value), _) => value.is_null(),
        (None, Some(Value::Array(values))) => !values.is_empty() && values.iter().all(Value::is_null),
        _ => false,
    };
    kind || values
}

/// Whether other keys are allowed. The type of their values is kept here and told in words by `notes`.
fn additional_properties(map: &mut Map<String, Value>, open: Option<Value>, side: Side, depth: usize) {
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
    let open = match open {
        Some(Value::Object(schema)) => {
            let mut schema = Value::Object(schema);
            visit(&mut schema, side, depth + 1);
            if schema.as_object().is_some_and(Map::is_empty) { Value::Bool(true) } else { schema }
        }
        Some(open) => open,
        None => return,
    };
    map.set("additionalProperties", open);
}

/// A tuple as an array of a fixed length, each item one of the tuple's types: `prefixItems` is refused by many.
fn tuple_to_items(map: &mut Map<String, Value>) {
    let Some(Value::Array(prefix)) = map.remove("prefixItems") else {
        return;
    };
    let mut branches: Vec<Value> = Vec::new();
    for schema in prefix.into_iter().chain(map.remove("items").filter(Value::is_object)) {
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
            union.set("anyOf", Value::Array(branches));
            union::simplify(&mut union);
            Value::Object(union)
        }
    };
    map.set("items", items);
}

fn const_to_enum(map: &mut Map<String, Value>) {
    if let Some(value) = map.remove("const") {
        map.set("enum", Value::Array(vec![value]));
    }
}
