//! What `tools/list` shows.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{super::*, one, schema_fn};

fn property<T: JsonSchema>() -> Value {
    one::<T>().to_value()["properties"]["x"].clone()
}

pub(super) fn output_of<T: JsonSchema>() -> Value {
    let output = TypeSchema::made(schema_fn::<T>()).output(SchemaProfile::Portable).unwrap().unwrap();
    serde_json::from_str(output.wire().get()).unwrap()
}

/// How to travel.
#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    Walk,
    /// Needs a bicycle.
    Cycle,
    /// Needs a ticket.
    Train,
}

#[derive(JsonSchema, Serialize, Deserialize)]
pub(super) enum Unit {
    Metric,
    Imperial,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Shape {
    /// A round one.
    Circle {
        radius: f64,
    },
    Square {
        side: f64,
        label: Option<String>,
    },
}

/// A point.
#[derive(JsonSchema, Serialize, Deserialize)]
pub(super) struct Point {
    x: i32,
    y: Option<i32>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
pub(super) struct Tree {
    name: String,
    children: Vec<Self>,
}

#[test]
fn no_arguments_is_the_one_schema_that_every_client_takes() {
    let prepared = input_from_properties(Vec::new(), SchemaProfile::Portable).unwrap();
    assert_eq!(prepared.wire().get(), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
}

#[test]
fn properties_keep_the_order_of_the_parameters() {
    let properties = ["z", "a", "m"].map(|name| Property::new(name, schema_fn::<bool>()));
    let prepared = input_from_properties(properties.into(), SchemaProfile::Portable).unwrap();
    assert_eq!(
        prepared.wire().get(),
        r#"{"type":"object","properties":{"z":{"type":"boolean"},"a":{"type":"boolean"},"m":{"type":"boolean"}},"required":["z","a","m"]}"#
    );
}

#[test]
fn everything_said_about_a_parameter_is_shown() {
    const PORT: Constraints = Constraints::new().min(Bound::int(1)).max(Bound::int(65_535));
    let property = Property {
        required: false,
        title: Some("Port"),
        description: "Where to listen",
        default: Some(Box::new(json!(8080))),
        constraints: &PORT,
        example: Some(Box::new(json!(80))),
        header: Some("Port"),
        ..Property::new("port", schema_fn::<u16>())
    };
    let prepared = input_from_properties(vec![property], SchemaProfile::Portable).unwrap();
    assert_eq!(
        prepared.to_value(),
        json!({"type": "object", "properties": {"port": {
            "type": "integer", "minimum": 1, "maximum": 65535, "title": "Port", "description": "Where to listen",
            "default": 8080, "examples": [80], "x-mcp-header": "Port",
        }}})
    );
}

#[test]
fn numbers_have_bounds_but_no_formats_of_rust() {
    assert_eq!(property::<u64>(), json!({"type": "integer", "minimum": 0}));
    assert_eq!(property::<u8>(), json!({"type": "integer", "minimum": 0, "maximum": 255}));
    assert_eq!(property::<i64>(), json!({"type": "integer"}));
    assert_eq!(property::<f32>(), json!({"type": "number"}));
    assert_eq!(property::<std::net::IpAddr>(), json!({"type": "string"}));
    assert_eq!(property::<std::net::Ipv4Addr>(), json!({"type": "string", "format": "ipv4"}));
    assert_eq!(property::<std::num::NonZeroI32>(), json!({"type": "integer"}));
}

#[test]
fn an_optional_value_is_the_value() {
    assert_eq!(property::<Option<String>>(), json!({"type": "string"}));
    assert_eq!(property::<Vec<Option<i64>>>(), json!({"type": "array", "items": {"type": "integer"}}));
    assert_eq!(property::<Option<Unit>>(), json!({"type": "string", "enum": ["Metric", "Imperial"]}));
    assert_eq!(property::<Option<Vec<Option<Unit>>>>()["items"]["enum"], json!(["Metric", "Imperial"]));
}

#[test]
fn a_value_of_any_type_is_never_a_boolean_schema() {
    assert_eq!(property::<Value>(), json!({}));
    assert_eq!(property::<Vec<Value>>(), json!({"type": "array", "items": {}}));
    assert_eq!(property::<HashMap<String, Value>>(), json!({"type": "object", "additionalProperties": true}));
    let any = Property { description: "Anything", ..Property::new("x", schema_fn::<Value>()) };
    let prepared = input_from_properties(vec![any], SchemaProfile::Portable).unwrap();
    assert_eq!(prepared.to_value()["properties"]["x"], json!({"description": "Anything"}));
}

#[test]
fn a_map_has_a_boolean_and_says_in_words_what_its_values_are() {
    assert_eq!(
        property::<HashMap<String, i32>>(),
        json!({
            "type": "object", "additionalProperties": true, "description": "Any keys; each value is an integer.",
        })
    );
    let text = property::<BTreeMap<u32, Vec<bool>>>();
    let text = text["description"].as_str().unwrap();
    let values = text.strip_prefix("Any keys; each value matches ").unwrap().trim_end_matches('.');
    let values: Value = serde_json::from_str(values).unwrap();
    assert_eq!(values, json!({"type": "array", "items": {"type": "boolean"}}));
    assert_eq!(output_of::<HashMap<String, bool>>()["additionalProperties"], json!({"type": "boolean"}));
}

#[test]
fn an_enum_with_documented_variants_is_a_plain_enum() {
    assert_eq!(
        property::<Mode>(),
        json!({
            "type": "string",
            "enum": ["walk", "cycle", "train"],
            "description": "How to travel.\n- cycle: Needs a bicycle.\n- train: Needs a ticket.",
        })
    );
    let mode = Property { description: "Choose well", ..Property::new("x", schema_fn::<Option<Mode>>()) };
    let prepared = input_from_properties(vec![mode], SchemaProfile::Portable).unwrap();
    assert_eq!(
        prepared.to_value()["properties"]["x"]["description"],
        "Choose well\n- cycle: Needs a bicycle.\n- train: Needs a ticket."
    );
}

#[test]
fn a_tagged_enum_is_any_of_its_variants() {
    assert_eq!(
        property::<Shape>(),
        json!({"anyOf": [
            {
                "type": "object", "description": "A round one.", "required": ["kind", "radius"],
                "properties": {"kind": {"type": "string", "enum": ["circle"]}, "radius": {"type": "number"}},
            },
            {
                "type": "object", "required": ["kind", "side"],
                "properties": {
                    "kind": {"type": "string", "enum": ["square"]}, "side": {"type": "number"},
                    "label": {"type": "string"},
                },
            },
        ]})
    );
}

#[test]
fn a_tuple_is_an_array_of_fixed_length() {
    assert_eq!(
        property::<(f64, f64)>(),
        json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
    );
    assert_eq!(
        property::<(String, Option<i32>)>(),
        json!({
            "type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "minItems": 2,
            "maxItems": 2,
        })
    );
}

#[test]
fn a_nested_type_is_inlined_and_a_recursive_one_referred_to() {
    assert_eq!(
        property::<Vec<Point>>()["items"],
        json!({
            "type": "object", "description": "A point.", "required": ["x"],
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
        })
    );
    let tree = one::<Tree>().to_value();
    assert_eq!(tree["properties"]["x"], json!({"$ref": "#/$defs/Tree"}));
    assert_eq!(tree["$defs"]["Tree"]["properties"]["children"]["items"], json!({"$ref": "#/$defs/Tree"}));
}

#[test]
fn types_of_the_same_name_stay_apart() {
    mod a {
        #[derive(schemars::JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        pub(super) struct Item {
            next: Vec<Self>,
            a: u8,
        }
    }
    mod b {
        #[derive(schemars::JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        pub(super) struct Item {
            next: Vec<Self>,
            b: u8,
        }
    }
    let properties = [Property::new("a", schema_fn::<a::Item>()), Property::new("b", schema_fn::<b::Item>())];
    let schema = input_from_properties(properties.into(), SchemaProfile::Portable).unwrap().to_value();
    let target = |name: &str| {
        let pointer = schema["properties"][name]["$ref"].as_str().unwrap().trim_start_matches('#').to_owned();
        schema.pointer(&pointer).unwrap()["properties"].clone()
    };
    assert!(target("a").get("a").is_some() && target("a").get("b").is_none());
    assert!(target("b").get("b").is_some() && target("b").get("a").is_none());
}

#[test]
fn definitions_are_inlined_only_while_the_schema_stays_small() {
    macro_rules! doubling {
        ($($outer:ident: $inner:ty),* $(,)?) => {$(
            /// A type that uses the one below it twice, so that inlining doubles the schema at each level.
            #[derive(JsonSchema)]
            #[expect(dead_code, reason = "only its schema is used")]
            struct $outer { left: $inner, right: $inner }
        )*};
    }
    doubling! {
        L0: u8, L1: L0, L2: L1, L3: L2, L4: L3, L5: L4, L6: L5, L7: L6, L8: L7, L9: L8, L10: L9, L11: L10, L12: L11,
        L13: L12, L14: L13, L15: L14, L16: L15, L17: L16, L18: L17, L19: L18, L20: L19, L21: L20, L22: L21, L23: L22,
    }
    let text = one::<L23>().wire().get().to_owned();
    assert!(text.len() < 20 * 1024, "{}", text.len());
    assert!(text.contains("\"$ref\":\"#/$defs/L"), "{text}");
    assert!(!text.contains("\"$ref\":\"#/$defs/L0\""), "the smallest are inlined: {text}");
    let small = one::<L4>().wire().get().to_owned();
    assert!(!small.contains("$ref"), "{small}");
}

#[cfg(feature = "preserve_order")]
#[test]
fn fields_of_nested_types_keep_their_order() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Row {
        zebra: Option<u8>,
        apple: String,
        mango: Vec<Mode>,
    }
    let schema = one::<Vec<Row>>().to_value();
    let names: Vec<_> = schema["properties"]["x"]["items"]["properties"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["zebra", "apple", "mango"]);
}
