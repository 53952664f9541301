//! Arguments as models send them.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{super::*, one};

/// The value after coercion, which serde must then accept.
fn coerced<T: JsonSchema + DeserializeOwned>(mut value: Value) -> Value {
    let prepared = one::<T>();
    let before = value.clone();
    let changed = coerce(prepared.property("x").unwrap(), &mut value);
    assert_eq!(changed, before != value);
    if let Err(error) = serde_json::from_value::<T>(value.clone()) {
        panic!("{before} became {value}: {error}");
    }
    value
}

/// The value after coercion, which must have left it alone.
#[track_caller]
fn refused<T: JsonSchema + DeserializeOwned>(value: Value) {
    let prepared = one::<T>();
    let mut after = value.clone();
    assert!(!coerce(prepared.property("x").unwrap(), &mut after), "{value} became {after}");
    assert_eq!(value, after);
    assert!(serde_json::from_value::<T>(value).is_err());
}

#[derive(JsonSchema, Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: i64, filled: Option<bool> },
    Empty,
}

#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Page {
    #[serde(default)]
    limit: u32,
    cursor: Option<String>,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Counts {
    name: String,
    #[serde(flatten)]
    counts: HashMap<String, i64>,
}

#[derive(JsonSchema, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only decoded")]
enum Either {
    Number(i64),
    Flag(bool),
    List(Vec<i64>),
    Named { id: u32 },
}

#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Tree {
    value: i64,
    #[serde(default)]
    children: Vec<Self>,
}

#[test]
fn numbers_are_read_from_text_and_from_whole_floats() {
    assert_eq!(coerced::<i64>(json!("30")), json!(30));
    assert_eq!(coerced::<i64>(json!("30.0")), json!(30));
    assert_eq!(coerced::<i64>(json!(30.0)), json!(30));
    assert_eq!(coerced::<i32>(json!(96230.0)), json!(96230));
    assert_eq!(coerced::<u64>(json!("18446744073709551615")), json!(u64::MAX));
    assert_eq!(coerced::<f64>(json!("1.5")), json!(1.5));
    assert_eq!(coerced::<f64>(json!(" 7 ")), json!(7));
    assert_eq!(coerced::<Option<i64>>(json!("30")), json!(30));
    assert_eq!(coerced::<Option<i64>>(json!("null")), Value::Null);
}

#[test]
fn what_would_lose_something_is_refused() {
    refused::<i64>(json!(1.5));
    refused::<i64>(json!("1.5"));
    refused::<i64>(json!(9_007_199_254_740_994.0));
    refused::<i64>(json!("1e30"));
    refused::<i64>(json!(""));
    refused::<i64>(json!("+5"));
    refused::<i64>(json!("0x10"));
    refused::<i64>(json!("007"));
    refused::<i64>(json!(true));
    refused::<i64>(Value::Null);
    refused::<Option<Tree>>(json!({}));
    refused::<Option<Shape>>(json!({}));
    refused::<f64>(json!("NaN"));
    refused::<bool>(json!(1));
    refused::<bool>(json!("yes"));
    refused::<Vec<i64>>(json!("1,2"));
    refused::<Vec<i64>>(json!(5));
    refused::<String>(json!([1]));
    refused::<String>(json!(1.5));
}

#[test]
fn a_string_stays_what_was_sent() {
    for text in ["42", "null", "", "true", "[1]", "{\"a\":1}", " x "] {
        assert_eq!(coerced::<String>(json!(text)), json!(text));
        assert_eq!(coerced::<Option<String>>(json!(text)), json!(text));
        assert_eq!(coerced::<Value>(json!(text)), json!(text));
    }
}

#[test]
fn scalars_become_text_where_text_is_wanted() {
    assert_eq!(coerced::<String>(json!(42)), json!("42"));
    assert_eq!(coerced::<String>(json!(true)), json!("true"));
    assert_eq!(coerced::<Vec<String>>(json!([1, "a", false])), json!(["1", "a", "false"]));
    assert_eq!(coerced::<bool>(json!("true")), json!(true));
}

#[test]
fn text_becomes_text_digit_by_digit() {
    let raw = |prepared: &Prepared, raw: &str| coerce_raw(prepared.property("x").unwrap(), raw).unwrap();
    assert_eq!(raw(&one::<String>(), "1.10").unwrap(), "\"1.10\"");
    assert_eq!(raw(&one::<String>(), "12345678901234567890123").unwrap(), "\"12345678901234567890123\"");
    assert_eq!(raw(&one::<u128>(), "\"18446744073709551616\"").unwrap(), "18446744073709551616");
    assert_eq!(raw(&one::<i64>(), "\"30\"").unwrap(), "30");
    assert_eq!(raw(&one::<String>(), "\"1\""), None);
    assert_eq!(raw(&one::<f64>(), "1"), None);
    assert!(coerce_raw(one::<Value>().property("x").unwrap(), r#"{"a":1,"a":2}"#).is_err());
}

#[test]
fn json_text_becomes_what_it_says() {
    assert_eq!(coerced::<Vec<i64>>(json!("[1, \"2\"]")), json!([1, 2]));
    assert_eq!(coerced::<HashMap<String, i64>>(json!("{\"a\": \"1\"}")), json!({"a": 1}));
    assert_eq!(coerced::<Tree>(json!("{\"value\": \"1\"}")), json!({"value": 1}));
    refused::<Vec<i64>>(json!("[1, 2"));
    refused::<Tree>(json!("{\"value\":1,\"value\":2}"));
}

#[test]
fn null_is_left_out_where_nothing_may_be_there() {
    assert_eq!(
        coerced::<Page>(json!({"limit": null, "cursor": null, "kind": "empty"})),
        json!({"cursor": null, "kind": "empty"})
    );
    assert_eq!(coerced::<Tree>(json!({"value": 1, "children": null})), json!({"value": 1}));
}

#[test]
fn tags_lead_to_the_variant_that_was_meant() {
    assert_eq!(coerced::<Shape>(json!({"kind": "circle", "radius": "2"})), json!({"kind": "circle", "radius": 2}));
    assert_eq!(
        coerced::<Shape>(json!({"kind": "square", "side": 2.0, "filled": "true"})),
        json!({"kind": "square", "side": 2, "filled": true})
    );
    assert_eq!(
        coerced::<Vec<Shape>>(json!("[{\"kind\":\"square\",\"side\":\"2\"}]")),
        json!([{"kind": "square", "side": 2}])
    );
    assert_eq!(
        coerced::<Page>(json!({"limit": "5", "kind": "square", "side": "2", "extra": "3"})),
        json!({"limit": 5, "kind": "square", "side": 2, "extra": "3"})
    );
    assert_eq!(coerced::<Counts>(json!({"name": 1, "a": "2"})), json!({"name": "1", "a": 2}));
}

#[test]
fn a_second_fault_does_not_hide_what_was_understood() {
    let prepared = one::<Shape>();
    let mut value = json!({"kind": "square", "side": "2", "filled": 7});
    assert!(coerce(prepared.property("x").unwrap(), &mut value));
    assert_eq!(value, json!({"kind": "square", "side": 2, "filled": 7}));
}

#[test]
fn untagged_unions_take_the_first_branch_that_then_fits() {
    assert_eq!(coerced::<Either>(json!("5")), json!(5));
    assert_eq!(coerced::<Either>(json!("true")), json!(true));
    assert_eq!(coerced::<Either>(json!("[1]")), json!([1]));
    assert_eq!(coerced::<Either>(json!(["1"])), json!([1]));
    assert_eq!(coerced::<Either>(json!({"id": "1"})), json!({"id": 1}));
    refused::<Either>(json!({"name": "1"}));
}

#[test]
fn maps_tuples_and_recursive_types_are_followed() {
    assert_eq!(coerced::<BTreeMap<String, Vec<u8>>>(json!({"a": ["1"]})), json!({"a": [1]}));
    assert_eq!(coerced::<(String, i64)>(json!([1, "2"])), json!(["1", 2]));
    assert_eq!(coerced::<(i64, Option<bool>)>(json!("[\"1\", null]")), json!([1, null]));
    assert_eq!(
        coerced::<Tree>(json!({"value": 1, "children": [{"value": "2", "children": "[]"}]})),
        json!({"value": 1, "children": [{"value": 2, "children": []}]})
    );
    assert_eq!(coerced::<HashMap<u32, i64>>(json!({"7": "1"})), json!({"7": 1}));
    assert_eq!(coerced::<()>(json!({})), Value::Null);
}

#[test]
fn text_can_be_read_into_scalars_and_closed_sets_are_known() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Level {
        Low,
        /// Very.
        High,
    }
    let readable = |prepared: Prepared| readable_from_text(prepared.property("x").unwrap());
    assert!(readable(one::<u64>()) && readable(one::<Option<Level>>()) && readable(one::<Value>()));
    assert!(readable(one::<std::path::PathBuf>()) && readable(one::<Either>()));
    assert!(!readable(one::<Vec<u8>>()) && !readable(one::<Tree>()) && !readable(one::<Shape>()));

    let closed = |prepared: Prepared| closed_values(prepared.property("x").unwrap());
    assert_eq!(closed(one::<Option<Level>>()), Some(vec!["Low".to_owned(), "High".to_owned()]));
    assert_eq!(closed(one::<bool>()), Some(vec!["true".to_owned(), "false".to_owned()]));
    assert_eq!(closed(one::<Option<bool>>()), Some(vec!["true".to_owned(), "false".to_owned()]));
    assert_eq!(closed(one::<String>()), None);
    assert_eq!(closed(one::<Either>()), None);
    assert_eq!(closed(one::<()>()), None);
}
