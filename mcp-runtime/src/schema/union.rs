//! Unions made plain: nested ones flattened, enums of documented variants joined, a single branch merged into what
//! surrounds it.

use serde_json::{Map, Value};

use super::{
    keywords::{Keywords, is_annotation, is_never, make_never},
    notes,
};

/// Simplifies the `anyOf` of a schema whose branches are simple already.
pub(super) fn simplify(map: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = map.remove("anyOf") else {
        return;
    };
    let given = branches.len();
    let mut branches = splice(branches);
    branches.retain(|branch| !branch.as_object().is_some_and(is_never));
    if given > 0 && branches.is_empty() {
        make_never(map);
        return;
    }
    let branches = join_enums(allow_nothing(map, branches));
    let mut distinct: Vec<Value> = Vec::new();
    for branch in branches {
        if !distinct.contains(&branch) {
            distinct.push(branch);
        }
    }
    if distinct.len() > 1 {
        map.set("anyOf", Value::Array(distinct));
    } else if let Some(Value::Object(only)) = distinct.pop() {
        if let Err(only) = merge(map, only) {
            map.set("anyOf", Value::Array(vec![Value::Object(only)]));
        }
    }
}

/// `allOf` of one schema is that schema.
pub(super) fn merge_single_all_of(map: &mut Map<String, Value>) {
    let Some(Value::Array(mut parts)) = map.remove("allOf") else {
        return;
    };
    if parts.iter().any(|part| part.as_object().is_some_and(is_never)) {
        make_never(map);
        return;
    }
    parts.retain(|part| part.as_object().is_none_or(|part| !part.is_empty()));
    if let (1, Some(Value::Object(only))) = (parts.len(), parts.first()) {
        match merge(map, only.clone()) {
            Ok(()) => return,
            Err(only) => parts = vec![Value::Object(only)],
        }
    }
    if !parts.is_empty() {
        map.set("allOf", Value::Array(parts));
    }
}

/// Merges `other` into `map` so that the result accepts what both accept; annotations of `map` win. Gives `other` back
/// when that is not possible by putting keywords side by side.
pub(super) fn merge(map: &mut Map<String, Value>, other: Map<String, Value>) -> Result<(), Map<String, Value>> {
    let clashes = other.iter().any(|(keyword, value)| match (keyword.as_str(), map.keyword(keyword)) {
        (_, None) | ("required", _) => false,
        ("properties", Some(own)) => {
            let (Some(own), Some(value)) = (own.as_object(), value.as_object()) else {
                return true;
            };
            value.iter().any(|(name, schema)| own.get(name).is_some_and(|known| known != schema))
        }
        (_, Some(own)) => own != value && !is_annotation(keyword),
    });
    // Closed objects see only the properties beside them.
    let closed =
        |map: &Map<String, Value>| map.keyword("additionalProperties").is_some_and(|open| open != &Value::Bool(true));
    if clashes || (closed(map) || closed(&other)) && (has_properties(map) && has_properties(&other)) {
        return Err(other);
    }
    for (keyword, value) in other {
        match (map.get_mut(&keyword), value) {
            (None, value) => {
                map.insert(keyword, value);
            }
            (Some(Value::Object(own)), Value::Object(more)) if keyword == "properties" => {
                own.extend(more);
            }
            (Some(Value::Array(own)), Value::Array(more)) if keyword == "required" => {
                let new: Vec<Value> = more.into_iter().filter(|name| !own.contains(name)).collect();
                own.extend(new);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a schema names properties.
pub(super) fn has_properties(map: &Map<String, Value>) -> bool {
    map.keyword("properties").and_then(Value::as_object).is_some_and(|map| !map.is_empty())
}

/// A branch that is nothing but a union is part of this one.
fn splice(branches: Vec<Value>) -> Vec<Value> {
    let mut flat = Vec::with_capacity(branches.len());
    for mut branch in branches {
        match branch.as_object_mut() {
            Some(map) if map.len() == 1 => match map.remove("anyOf") {
                Some(Value::Array(inner)) => flat.extend(inner),
                Some(other) => flat.push(other),
                None => flat.push(branch),
            },
            _ => flat.push(branch),
        }
    }
    flat
}

/// An optional flattened enum has a branch that accepts every object. It is told by requiring nothing of the others:
/// a branch without content would be a boolean schema in disguise.
fn allow_nothing(map: &Map<String, Value>, mut branches: Vec<Value>) -> Vec<Value> {
    let is_empty = |branch: &Value| branch.as_object().is_some_and(Map::is_empty);
    if map.keyword("type").is_none_or(|kind| kind != "object") || !branches.iter().any(is_empty) {
        return branches;
    }
    branches.retain(|branch| !is_empty(branch));
    for branch in &mut branches {
        if let Some(map) = branch.as_object_mut() {
            map.remove("required");
        }
    }
    branches
}

/// Branches that only list values of one type become one `enum`; what they say about their values becomes notes.
fn join_enums(branches: Vec<Value>) -> Vec<Value> {
    let mut others: Vec<Value> = Vec::new();
    let mut enums: Vec<Enum> = Vec::new();
    for branch in branches {
        let map = match branch {
            Value::Object(map) if lists_values(&map) => map,
            other => {
                others.push(other);
                continue;
            }
        };
        let kind = map.keyword("type").cloned().unwrap_or_default();
        if let Some(known) = enums.iter_mut().find(|known| known.kind == kind) {
            known.branches.push(map);
        } else {
            enums.push(Enum { kind, place: others.len(), branches: vec![map] });
        }
    }
    let alone = others.is_empty() && enums.len() == 1;
    // From the back, so that the places of those before stay right.
    for mut group in enums.into_iter().rev() {
        let only = if group.branches.len() == 1 && !alone { group.branches.pop() } else { None };
        let branch = only.unwrap_or_else(|| join(group.kind, group.branches));
        others.insert(group.place.min(others.len()), Value::Object(branch));
    }
    others
}

/// The branches of a union that list values of one type.
struct Enum {
    kind: Value,
    /// How many other branches come before the first of them.
    place: usize,
    branches: Vec<Map<String, Value>>,
}

fn lists_values(map: &Map<String, Value>) -> bool {
    map.keyword("enum").is_some_and(Value::is_array)
        && map.keyword("type").is_some_and(Value::is_string)
        && map.keys().all(|keyword| matches!(keyword.as_str(), "enum" | "type") || is_annotation(keyword))
}

fn join(kind: Value, group: Vec<Map<String, Value>>) -> Map<String, Value> {
    let mut joined = Map::new();
    let mut all: Vec<Value> = Vec::new();
    for mut branch in group {
        let values = match branch.remove("enum") {
            Some(Value::Array(values)) => values,
            _ => Vec::new(),
        };
        let text = branch.keyword("description").or(branch.keyword("title")).and_then(Value::as_str);
        if let Some(text) = text {
            let names: Vec<_> =
                values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
            notes::add(&mut joined, format!("- {}: {text}", names.join(", ")));
        }
        for note in notes::of(&branch) {
            notes::add(&mut joined, note);
        }
        all.extend(values.into_iter().filter(|value| !value.is_null()));
    }
    let mut distinct: Vec<Value> = Vec::new();
    for value in all {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    joined.set("type", kind);
    joined.set("enum", Value::Array(distinct));
    joined
}
