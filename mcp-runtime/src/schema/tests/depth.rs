//! Values and schemas that are nested deeply cost no more than their size.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::*;
use super::one;
use super::properties::{Level, Whole};

#[test]
fn recursive_unions_take_no_exponential_time() {
    #[derive(JsonSchema, Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Twin {
        Left { x: Box<Self>, l: u8 },
        Right { x: Box<Self>, r: u8 },
        End(u8),
    }
    let prepared = one::<Twin>();
    let mut value = json!("end");
    for _ in 0..100 {
        value = json!({"x": value, "l": "1", "r": "2"});
    }
    // 2^100 steps would never end.
    coerce(prepared.property("x").unwrap(), &mut value);
    drop(violations(prepared.property("x").unwrap(), &value));
}

#[test]
fn a_tree_of_untagged_nodes_is_understood_at_any_depth() {
    #[derive(JsonSchema, Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only decoded")]
    enum Term {
        Number(f64),
        Binary { op: Level, left: Box<Self>, right: Box<Self> },
        Call { name: String, list: Vec<Self> },
    }
    let nest = |leaf: Value| {
        (0..40).fold(leaf, |inner, level| {
            if level % 2 == 0 {
                json!({"op": "Low", "left": inner, "right": 1})
            } else {
                json!({"name": "f", "list": [inner, 2]})
            }
        })
    };
    let prepared = one::<Term>();
    let schema = prepared.property("x").unwrap();
    let mut value = nest(json!("1.5"));
    assert!(coerce(schema, &mut value));
    assert_eq!(value, nest(json!(1.5)));
    let found = violations(schema, &nest(json!({"op": "Middle", "left": 1, "right": 1})));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pointer(), format!("{}/op", "/list/0/left".repeat(20)));
    assert_eq!(found[0].allowed(), ["\"Low\"", "\"High\""]);
}

#[test]
fn deep_values_do_not_overflow_the_stack() {
    let prepared = one::<Whole>();
    let mut value = json!(1);
    for _ in 0..200 {
        value = json!([{"a": value}]);
    }
    let schema = prepared.property("x").unwrap();
    assert!(!violations(schema, &value).is_empty());
    coerce(schema, &mut value);
    let any = one::<Vec<Value>>();
    assert!(violations(any.property("x").unwrap(), &value).is_empty());
}
