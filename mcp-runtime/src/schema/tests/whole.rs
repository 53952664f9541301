//! Whole inputs, outputs, and what authors put on top.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    super::*,
    schema_fn,
    wire::{Mode, Point, Shape, Tree, Unit, output_of},
};

#[test]
fn a_root_type_is_one_plain_object() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Query {
        text: String,
        limit: Option<u32>,
        #[serde(flatten)]
        shape: Shape,
    }
    let prepared = TypeSchema::made(schema_fn::<Query>()).input(SchemaProfile::Portable).unwrap();
    let schema = prepared.to_value();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["text", "kind"]));
    assert_eq!(schema["properties"]["kind"], json!({"type": "string", "enum": ["circle", "square"]}));
    assert!(schema.get("anyOf").is_none() && schema.get("oneOf").is_none());
    assert_eq!(
        schema["description"],
        "Give the fields of one of these:\n\
         - `kind`: \"circle\", `radius` (A round one.)\n\
         - `kind`: \"square\", `side`"
    );
}

#[test]
fn a_tagged_enum_can_be_the_whole_input_and_a_scalar_cannot() {
    let shape = TypeSchema::made(schema_fn::<Shape>()).input(SchemaProfile::Portable).unwrap().to_value();
    assert_eq!(shape["required"], json!(["kind"]));
    let tree = TypeSchema::made(schema_fn::<Tree>()).input(SchemaProfile::Portable).unwrap().to_value();
    assert_eq!(tree["properties"]["children"]["items"], json!({"$ref": "#/$defs/Tree"}));
    assert!(tree["$defs"]["Tree"].is_object());
    for refused in [schema_fn::<Mode>(), schema_fn::<i32>(), schema_fn::<Vec<u8>>(), schema_fn::<Option<String>>()] {
        let error = TypeSchema::made(refused).input(SchemaProfile::Portable).unwrap_err();
        assert!(error.to_string().contains("not always one"), "{error}");
        assert!(TypeSchema::made(refused).input(SchemaProfile::Exact).is_err());
    }
    let any = TypeSchema::made(schema_fn::<Value>()).input(SchemaProfile::Portable).unwrap();
    assert_eq!(any.wire().get(), r#"{"type":"object","properties":{},"additionalProperties":true}"#);
}

#[test]
fn an_output_is_what_serde_writes() {
    #[derive(JsonSchema, Serialize)]
    struct Reply {
        always: Option<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        sometimes: Option<Unit>,
        #[serde(default, rename = "defaulted")]
        plain: bool,
    }
    let schema = output_of::<Reply>();
    assert_eq!(schema["required"], json!(["always", "defaulted"]));
    assert_eq!(
        schema["properties"]["always"],
        json!({"anyOf": [{"type": "integer", "minimum": 0, "maximum": 255}, {"type": "null"}]})
    );
    assert_eq!(
        schema["properties"]["sometimes"],
        json!({"anyOf": [{"type": "string", "enum": ["Metric", "Imperial"]}, {"type": "null"}]})
    );
    assert_eq!(schema["properties"]["defaulted"], json!({"type": "boolean"}));
}

#[test]
fn an_output_that_is_no_object_is_wrapped_for_revisions_that_need_one() {
    let list = TypeSchema::made(schema_fn::<Vec<Tree>>()).output(SchemaProfile::Portable).unwrap().unwrap();
    assert!(!list.is_object());
    let wrapped: Value = serde_json::from_str(list.wire_object().get()).unwrap();
    assert_eq!(wrapped["properties"]["result"]["items"], json!({"$ref": "#/$defs/Tree"}));
    assert_eq!(wrapped["required"], json!(["result"]));
    assert!(wrapped["$defs"]["Tree"].is_object());

    let shape = TypeSchema::made(schema_fn::<Shape>()).output(SchemaProfile::Portable).unwrap().unwrap();
    assert!(shape.is_object());
    assert!(shape.wire().get().starts_with(r#"{"type":"object","#), "{}", shape.wire());
}

#[test]
fn a_schema_written_by_hand_passes_unchanged() {
    let hand = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "$defs": {"a": {"$anchor": "a", "const": 1}},
        "properties": {"$ref": {"type": ["string", "null"]}, "n": true},
        "if": {"required": ["n"]}, "then": {"required": ["$ref"]}, "dependentRequired": {"n": ["$ref"]},
        "oneOf": [{}],
    });
    let prepared = Prepared::from_json(&hand).unwrap();
    assert_eq!(prepared.wire().get(), hand.to_string());
    let text = r#"{ "z": 1, "type" : "object","a":1.0 }"#.to_owned();
    let raw = serde_json::value::RawValue::from_string(text.clone()).unwrap();
    assert_eq!(Prepared::from_raw(raw).unwrap().wire().get(), text);
    let elsewhere = json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}});
    let elsewhere = Prepared::from_json(&elsewhere).unwrap();
    assert!(elsewhere.warnings()[0].contains("https://example.com/a"));
    assert!(violations(elsewhere.root(), &json!({"a": 1})).is_empty());
    assert!(Prepared::from_json(&json!(true)).is_err());
    assert!(Prepared::from_json(&json!({"properties": {}})).is_err());
}

#[test]
fn the_exact_profile_shows_what_schemars_makes() {
    let properties = [Property::new("x", schema_fn::<Option<u8>>())];
    let exact = input_from_properties(properties.into(), SchemaProfile::Exact).unwrap().to_value();
    assert_eq!(
        exact["properties"]["x"],
        json!({"type": ["integer", "null"], "format": "uint8", "minimum": 0, "maximum": 255})
    );
}

#[test]
fn a_header_is_checked_where_a_client_would_drop_the_tool() {
    let with = |schema, header| {
        let property = Property { header: Some(header), ..Property::new("x", schema) };
        input_from_properties(vec![property], SchemaProfile::Portable)
    };
    assert!(with(schema_fn::<Option<Mode>>(), "Mode").is_ok());
    assert!(with(schema_fn::<f64>(), "Ratio").is_err());
    assert!(with(schema_fn::<Point>(), "Point").is_err());
    assert!(with(schema_fn::<String>(), "two words").is_err());
    let twice = ["Region", "region"].map(|header| Property {
        header: Some(header),
        ..Property::new(if header == "region" { "a" } else { "b" }, schema_fn::<String>())
    });
    assert!(input_from_properties(twice.into(), SchemaProfile::Portable).is_err());
}

#[test]
fn a_constraint_reaches_through_a_newtype_and_an_unusable_pattern_is_reported() {
    #[derive(JsonSchema)]
    struct Port(#[expect(dead_code, reason = "only its schema is used")] u16);
    const MOST: Constraints = Constraints::new().max(Bound::int(1024));
    const ODD: Constraints = Constraints::new().pattern("(?!x)");
    let port = Property { constraints: &MOST, ..Property::new("x", schema_fn::<Option<Port>>()) };
    let schema = input_from_properties(vec![port], SchemaProfile::Portable).unwrap().to_value();
    assert_eq!(schema["properties"]["x"]["maximum"], 1024);

    let odd = Property { constraints: &ODD, ..Property::new("x", schema_fn::<String>()) };
    let prepared = input_from_properties(vec![odd], SchemaProfile::Portable).unwrap();
    assert_eq!(prepared.warnings().len(), 1);
}

#[test]
fn a_flattened_variant_is_an_object_with_or_without_a_doc_comment() {
    #[derive(JsonSchema, serde::Deserialize)]
    #[expect(dead_code, reason = "only decoded")]
    enum Action {
        Plain,
        /// Documented.
        Stop,
        Go(u8),
    }
    #[derive(JsonSchema, serde::Deserialize)]
    #[expect(dead_code, reason = "only decoded")]
    struct Order {
        id: u8,
        #[serde(flatten)]
        action: Action,
    }
    let prepared = TypeSchema::made(schema_fn::<Order>()).input(SchemaProfile::Portable).unwrap();
    assert_eq!(
        prepared.to_value()["description"],
        "Give the fields of one of these:\n- `Stop` (Documented.)\n- `Go`\n- `Plain`"
    );
    for value in [json!({"id": 1, "Stop": null}), json!({"id": 1, "Plain": null}), json!({"id": 1, "Go": 2})] {
        assert_eq!(violations(prepared.root(), &value), [], "{value}");
    }
    let mut value = json!({"id": "1", "Stop": {}});
    assert!(coerce(prepared.root(), &mut value));
    assert_eq!(value, json!({"id": 1, "Stop": null}));
    assert!(serde_json::from_value::<Order>(value).is_ok());
}

#[test]
fn a_definition_that_only_a_note_mentions_is_kept() {
    let maps = [Property::new("maps", schema_fn::<std::collections::HashMap<String, Tree>>())];
    let schema = input_from_properties(maps.into(), SchemaProfile::Portable).unwrap().to_value();
    let note = schema["properties"]["maps"]["description"].as_str().unwrap();
    assert!(note.contains("#/$defs/Tree"), "{note}");
    assert!(schema["$defs"]["Tree"].is_object());
}

#[test]
fn a_root_type_is_walked_as_serde_reads_it() {
    let prepared = TypeSchema::made(schema_fn::<Tree>()).input(SchemaProfile::Portable).unwrap();
    let mut value = json!({"name": 1, "children": "[{\"name\": \"x\", \"children\": []}]"});
    assert!(coerce(prepared.root(), &mut value));
    assert_eq!(value, json!({"name": "1", "children": [{"name": "x", "children": []}]}));
    assert_eq!(prepared.root().names(), ["children", "name"]);
    assert!(prepared.property("children").is_some() && prepared.property("other").is_none());
}
