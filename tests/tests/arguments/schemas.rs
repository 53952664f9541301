//! The schemas that every client takes: rules that hold for all of them, and a few in full.

use mcp_runtime::Revision;
use mcp_runtime::testing::Client;
use serde_json::{Map, Value, json};

use super::{client, server};

async fn tool(client: &Client, name: &str) -> Value {
    client.list_tools().await.unwrap().into_iter().find(|tool| tool["name"] == name).unwrap()
}

async fn input(name: &str) -> Value {
    tool(&client().await, name).await["inputSchema"].take()
}

/// What is checked of one schema: its members, its place, whether it is the root.
type Check<'c> = dyn FnMut(&Map<String, Value>, &str, bool) + 'c;

/// Calls `check` for every schema in a schema, with its place.
fn walk(schema: &Value, at: &str, is_root: bool, check: &mut Check<'_>) {
    let Value::Object(members) = schema else { panic!("{at}: a schema is an object, not {schema}") };
    check(members, at, is_root);
    for key in ["properties", "$defs", "patternProperties"] {
        for (name, inner) in members.get(key).and_then(Value::as_object).into_iter().flatten() {
            walk(inner, &format!("{at}/{key}/{name}"), false, check);
        }
    }
    for key in ["anyOf", "allOf", "prefixItems"] {
        for (index, inner) in members.get(key).and_then(Value::as_array).into_iter().flatten().enumerate() {
            walk(inner, &format!("{at}/{key}/{index}"), false, check);
        }
    }
    if let Some(items) = members.get("items") {
        walk(items, &format!("{at}/items"), false, check);
    }
    if let Some(more) = members.get("additionalProperties").filter(|more| !more.is_boolean()) {
        walk(more, &format!("{at}/additionalProperties"), false, check);
    }
}

/// Formats of JSON Schema's own list.
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

#[tokio::test]
async fn no_schema_has_what_some_client_refuses() {
    for revision in Revision::ALL {
        let client = Client::with_revision(revision).connect(server()).await.unwrap();
        for tool in client.list_tools().await.unwrap() {
            let name = tool["name"].as_str().unwrap();
            let schemas = [("input", tool.get("inputSchema")), ("output", tool.get("outputSchema"))];
            for (side, schema) in schemas.into_iter().filter_map(|(side, schema)| Some((side, schema?))) {
                walk(schema, &format!("{name} {side}"), true, &mut |members, at, _| {
                    for refused in ["$schema", "nullable", "oneOf", "const", "definitions"] {
                        assert!(!members.contains_key(refused), "{at}: {refused}");
                    }
                    assert!(!members.get("type").is_some_and(Value::is_array), "{at}: several types");
                    if side == "input" {
                        assert_ne!(members.get("type"), Some(&json!("null")), "{at}");
                        let allows_null = members
                            .get("enum")
                            .and_then(Value::as_array)
                            .is_some_and(|values| values.contains(&Value::Null));
                        assert!(!allows_null, "{at}");
                    }
                    if let Some(format) = members.get("format").and_then(Value::as_str) {
                        assert!(FORMATS.contains(&format), "{at}: {format}");
                    }
                    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                        let pointer = reference.strip_prefix('#').expect("within the schema");
                        assert!(schema.pointer(pointer).is_some(), "{at}: {reference} leads nowhere");
                    }
                    let is_any = members
                        .keys()
                        .all(|key| matches!(key.as_str(), "description" | "title" | "default" | "examples"));
                    let says_what =
                        ["type", "enum", "anyOf", "$ref", "allOf"].iter().any(|key| members.contains_key(*key));
                    assert!(says_what || is_any, "{at}: {members:?}");
                    if members.get("type") == Some(&json!("object")) && at.ends_with("put") {
                        assert!(
                            members.get("properties").is_some_and(Value::is_object) || members.contains_key("anyOf"),
                            "{at}: no properties"
                        );
                    }
                });
            }
            assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        }
    }
}

#[tokio::test]
async fn no_arguments_is_exactly_this() {
    assert_eq!(input("nothing").await, json!({"type": "object", "properties": {}, "additionalProperties": false}));
}

#[tokio::test]
async fn a_unit_enum_is_a_plain_enum_with_its_words_joined() {
    let colour = input("colour").await["properties"]["value"].take();
    assert_eq!(colour["enum"], json!(["red", "green"]));
    assert_eq!(colour["type"], "string");
    let description = colour["description"].as_str().unwrap();
    assert!(
        description.contains("One of few.") && description.contains("Like blood") && description.contains("Like grass"),
        "{description}"
    );
}

#[tokio::test]
async fn nested_types_are_inlined_and_recursive_ones_are_defined_at_the_root() {
    assert_eq!(
        input("place").await,
        json!({
            "type": "object",
            "properties": {"value": {
                "type": "object",
                "description": "Where something is.",
                "properties": {
                    "tags": {"type": "array", "items": {"type": "string"}, "default": []},
                    "x": {"type": "integer", "description": "East"},
                    "y": {"type": "number"},
                },
                "required": ["x"],
            }},
            "required": ["value"],
        })
    );
    let tree = input("tree").await;
    assert!(tree["$defs"]["Tree"].is_object(), "{tree}");
    assert!(tree["$defs"]["Tree"]["properties"]["children"]["items"]["$ref"] == "#/$defs/Tree", "{tree}");
}

#[tokio::test]
async fn numbers_keep_their_bounds_and_lose_their_formats() {
    let numbers = input("numbers").await;
    let of = |name: &str| numbers["properties"][name].clone();
    assert_eq!(of("a"), json!({"type": "integer", "minimum": 0, "maximum": 255}));
    assert_eq!(of("d"), json!({"type": "integer", "minimum": 0}));
    assert_eq!(of("f"), json!({"type": "integer", "minimum": -128, "maximum": 127}));
    assert_eq!(of("h"), json!({"type": "number"}));
    assert_eq!(of("j"), json!({"type": "integer", "minimum": 0}));
    assert!(!numbers["required"].as_array().unwrap().contains(&json!("j")));
}

#[tokio::test]
async fn arguments_keep_the_order_of_the_parameters() {
    let client = Client::connect(server()).await.unwrap();
    let tools = client.request("tools/list", json!({})).await.unwrap();
    // The order on the wire, which a parsed object need not keep.
    let order: Vec<&str> = ["zeta", "alpha", "c", "d", "beta"].into();
    let required = tools["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "twelve").unwrap()["inputSchema"]["required"].clone();
    let required: Vec<&str> = required
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .filter(|name| order.contains(name))
        .collect();
    assert_eq!(required, order);
}

#[tokio::test]
async fn maps_pairs_and_any_values_have_a_form_that_clients_take() {
    let map = input("map").await["properties"]["value"].take();
    assert_eq!(map["type"], "object");
    let pair = input("pair").await["properties"]["value"].take();
    assert_eq!((&pair["type"], &pair["minItems"], &pair["maxItems"]), (&json!("array"), &json!(2), &json!(2)));
    assert!(pair["items"]["anyOf"].is_array() && pair.get("prefixItems").is_none(), "{pair}");
    let any = input("any").await;
    for name in ["value", "many", "by_name"] {
        assert!(any["properties"][name].is_object(), "{any}");
    }
    assert!(
        any["properties"]["many"]["items"].is_object() || any["properties"]["many"].get("items").is_none(),
        "{any}"
    );
}

#[tokio::test]
async fn the_rules_of_arguments_are_in_the_schema() {
    let ruled = input("ruled").await;
    assert_eq!(ruled["properties"]["ranged"], json!({"type": "integer", "minimum": 1, "maximum": 100}));
    assert_eq!(ruled["properties"]["measured"], json!({"type": "string", "minLength": 2, "maxLength": 3}));
    assert_eq!(
        (&ruled["properties"]["few"]["maxItems"], &ruled["properties"]["patterned"]["pattern"]),
        (&json!(2), &json!("^[a-z]+$"))
    );
    assert!(ruled.get("required").is_none(), "{ruled}");
}

#[tokio::test]
async fn a_tagged_enum_as_the_whole_input_is_one_object() {
    // Some clients refuse `anyOf` at the root: the variants are merged, and the description tells them apart.
    let whole = input("whole_shape").await;
    assert_eq!((&whole["type"], &whole["required"]), (&json!("object"), &json!(["kind"])));
    assert_eq!(whole["properties"]["kind"], json!({"type": "string", "enum": ["circle", "square"]}));
    assert!(
        whole["properties"]["radius"].is_object()
            && whole["properties"]["side"].is_object()
            && whole.get("anyOf").is_none(),
        "{whole}"
    );
    let whole = input("whole").await;
    assert_eq!((&whole["type"], &whole["required"]), (&json!("object"), &json!(["count"])));
    assert_eq!(whole["properties"]["count"], json!({"type": "integer", "minimum": 0, "maximum": 255}));
}

#[tokio::test]
async fn output_schemas_say_what_is_written() {
    let client = client().await;
    let schema = tool(&client, "written").await["outputSchema"].take();
    let value = client.call("written", json!({})).await.unwrap().structured().clone();
    assert_eq!(value, json!({"always": null, "defaulted": 0, "other": true}));
    let required = schema["required"].as_array().unwrap();
    for (name, always) in [("always", true), ("sometimes", false), ("defaulted", true), ("other", true)] {
        assert_eq!(required.contains(&json!(name)), always, "{name}: {schema}");
    }
    assert!(schema["properties"]["always"]["anyOf"].as_array().unwrap().contains(&json!({"type": "null"})), "{schema}");
    assert!(schema["properties"].get("renamed").is_none());
}

#[tokio::test]
async fn schemas_by_hand_pass_unchanged() {
    let by_hand = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}}}},
        "properties": {"name": {"type": ["string", "null"]}, "address": {"$ref": "#/$defs/address"}, "$ref": {"const": 1}},
        "dependentRequired": {"name": ["address"]},
        "if": {"properties": {"name": {"const": "x"}}}, "then": {"required": ["address"]},
        "oneOf": [true],
        "additionalProperties": false,
    });
    let output = json!({"type": "array", "items": true, "nullable": true});
    let definition = mcp_runtime::Tool::new("by_hand")
        .input_schema(by_hand.clone())
        .output_schema(output.clone())
        .call(|_, args| async move { format!("{args:?}") });
    let client = Client::connect(server().tool(definition)).await.unwrap();
    let listed = tool(&client, "by_hand").await;
    assert_eq!((&listed["inputSchema"], &listed["outputSchema"]), (&by_hand, &output));
}

#[tokio::test]
async fn the_exact_profile_leaves_schemas_alone() {
    let client = Client::connect(server().schema_profile(mcp_runtime::SchemaProfile::Exact)).await.unwrap();
    let numbers = tool(&client, "numbers").await;
    assert_eq!(numbers["inputSchema"]["properties"]["d"]["format"], "uint64");
}
