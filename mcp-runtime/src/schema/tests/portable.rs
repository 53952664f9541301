//! No schema that is shown has anything that some client refuses.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::{
    super::{normalise::Side, *},
    one,
    properties::{Adjacent, External, Inner, Level, Never, Open, Untagged, Whole},
    schema_fn,
};

/// Everything that some client refuses.
pub(super) fn faults(schema: &Value, side: Side, at: &str, found: &mut Vec<String>) {
    let Value::Object(map) = schema else {
        found.push(format!("{at}: {schema} is no object"));
        return;
    };
    let banned = ["oneOf", "const", "prefixItems", "nullable", "$schema", "unevaluatedProperties", notes::NOTES];
    for keyword in banned.into_iter().filter(|keyword| map.contains_key(*keyword)) {
        found.push(format!("{at}: {keyword:?}"));
    }
    if map.get("type").is_some_and(|kind| !kind.is_string()) {
        found.push(format!("{at}: several types"));
    }
    if side == Side::Input {
        if map.get("type").is_some_and(|kind| kind == "null") {
            found.push(format!("{at}: null"));
        }
        let values = map.get("enum").and_then(Value::as_array).into_iter().flatten();
        if values.into_iter().any(Value::is_null) || map.get("default") == Some(&Value::Null) {
            found.push(format!("{at}: the value null"));
        }
        if map.get("additionalProperties").is_some_and(|open| !open.is_boolean()) {
            found.push(format!("{at}: additionalProperties is a schema"));
        }
    }
    for keyword in ["items", "if", "then", "contains"] {
        if let Some(child) = map.get(keyword) {
            faults(child, side, &format!("{at}/{keyword}"), found);
        }
    }
    for keyword in ["anyOf", "allOf"] {
        for child in map.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            faults(child, side, &format!("{at}/{keyword}"), found);
        }
    }
    for keyword in ["properties", "$defs"] {
        for (name, child) in map.get(keyword).and_then(Value::as_object).into_iter().flatten() {
            faults(child, side, &format!("{at}/{keyword}/{name}"), found);
        }
    }
}

/// Every property says of what kind it is, unless it may be anything.
fn untyped(schema: &Value, found: &mut Vec<Value>) {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (_, property) in properties {
        let says = ["type", "enum", "anyOf", "$ref"].iter().any(|keyword| property.get(*keyword).is_some());
        let anything = property.as_object().is_some_and(|map| map.keys().all(|keyword| keyword == "description"))
            || *property == json!({"not": {}});
        if !says && !anything {
            found.push(property.clone());
        }
        untyped(property, found);
    }
}

fn is_portable<T: JsonSchema>() {
    let shown = one::<T>();
    let input = shown.to_value();
    let output = TypeSchema::made(schema_fn::<T>()).output(SchemaProfile::Portable).unwrap().unwrap();
    let output: Value = serde_json::from_str(output.wire_object().get()).unwrap();
    let mut found = Vec::new();
    faults(&input, Side::Input, "input", &mut found);
    faults(&output, Side::Output, "output", &mut found);
    assert!(found.is_empty(), "{found:#?}\n{input:#}\n{output:#}");
    let mut found = Vec::new();
    untyped(&input, &mut found);
    untyped(&output, &mut found);
    assert!(found.is_empty(), "{found:#?}");
    for schema in [&input, &output] {
        let text = schema.to_string();
        for reference in text.split("\"$ref\":\"#").skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(schema.pointer(pointer).is_some(), "{pointer} in {text}");
        }
    }
    assert_eq!(shown.wire().get(), one::<T>().wire().get());
}

#[test]
fn the_schemas_of_all_kinds_of_types_are_portable() {
    is_portable::<Whole>();
    is_portable::<Option<Vec<Option<Whole>>>>();
    is_portable::<Open>();
    is_portable::<Vec<External>>();
    is_portable::<Option<Adjacent>>();
    is_portable::<BTreeMap<String, Inner>>();
    is_portable::<BTreeMap<u8, Option<Untagged>>>();
    is_portable::<(Level, Option<Level>, Value)>();
    is_portable::<BTreeSet<char>>();
    is_portable::<Result<u8, String>>();
    is_portable::<std::ops::Bound<i8>>();
    is_portable::<std::ops::Range<u16>>();
    is_portable::<std::time::Duration>();
    is_portable::<std::net::SocketAddr>();
    is_portable::<std::num::NonZeroI8>();
    is_portable::<[Option<f32>; 3]>();
    is_portable::<()>();
    is_portable::<Option<()>>();
    is_portable::<Value>();
    is_portable::<Never>();
}
