//! What a model is told.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{super::*, one};

fn told<T: JsonSchema>(value: &Value) -> Vec<String> {
    let prepared = one::<T>();
    in_words(&violations_at(prepared.property("x").unwrap(), "/x", value))
}

/// Sorted, because the order of members is that of the map, which a feature of `serde_json` changes.
fn in_words(found: &[Violation]) -> Vec<String> {
    let mut words: Vec<String> = found.iter().map(ToString::to_string).collect();
    words.sort();
    words
}

#[derive(JsonSchema, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum Shape {
    Circle { radius: f64 },
    Square { side: u8 },
}

#[derive(JsonSchema, Deserialize)]
#[expect(dead_code, reason = "only its schema is used")]
enum Step {
    Wait,
    Go { to: String },
    Turn(i32),
}

#[derive(JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct Person {
    #[schemars(length(min = 1, max = 5))]
    name: String,
    #[schemars(range(min = 1, max = 10))]
    age: u8,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    code: Option<String>,
    shapes: Option<Vec<Shape>>,
}

#[test]
fn every_fault_is_told_with_its_place() {
    assert_eq!(
        told::<Person>(&json!({"name": "", "age": "abc", "code": "A", "shapes": [{"kind": "circle"}, 5], "z/z": 1})),
        [
            r#"/x/age: expected an integer, got "abc""#,
            r#"/x/code: expected a string that matches `^[a-z]+$`, got "A""#,
            r#"/x/name: expected a string of 1 to 5 characters, got """#,
            "/x/shapes/0/radius: missing, expected a number",
            "/x/shapes/1: expected an object with `kind`, `radius` or an object with `kind`, `side`, got 5",
            "/x/z~1z: unknown, expected one of age, code, name, shapes",
        ]
    );
    assert_eq!(
        told::<Person>(&json!({"nmae": "x"})),
        [
            "/x/age: missing, expected an integer",
            "/x/name: missing, expected a string",
            "/x/nmae: unknown, expected one of age, code, name, shapes (did you mean `name`?)",
        ]
    );
}

#[test]
fn the_range_of_an_integer_type_is_told() {
    assert_eq!(
        told::<i32>(&json!(3_000_000_000_u32)),
        ["/x: expected an integer from -2147483648 to 2147483647, got 3000000000"]
    );
    assert_eq!(told::<u64>(&json!(-1)), ["/x: expected an integer from 0 to 18446744073709551615, got -1"]);
    assert_eq!(told::<Option<u8>>(&json!(300)), ["/x: expected an integer from 0 to 255, got 300"]);
    assert_eq!(told::<u64>(&json!(1e23)), ["/x: expected an integer from 0 to 18446744073709551615, got 1e+23"]);
    assert_eq!(told::<i64>(&json!(1.5)), ["/x: expected an integer, got 1.5"]);
}

#[test]
fn the_wrong_tag_is_told_with_all_right_ones() {
    assert_eq!(
        told::<Shape>(&json!({"kind": "cirlce", "radius": 1})),
        [r#"/x/kind: expected one of "circle", "square", got "cirlce" (did you mean "circle"?)"#]
    );
    assert_eq!(told::<Shape>(&json!({"radius": 1})), [r#"/x/kind: missing, expected one of "circle", "square""#]);
    assert_eq!(
        told::<Shape>(&json!({"kind": "square", "side": 900})),
        ["/x/side: expected an integer from 0 to 255, got 900"]
    );
}

#[test]
fn an_externally_tagged_enum_is_explained_by_its_variant() {
    assert_eq!(told::<Step>(&json!({"Go": {"to": 5}})), ["/x/Go/to: expected a string, got 5"]);
    assert_eq!(told::<Step>(&json!({"Turn": "left"})), [r#"/x/Turn: expected an integer, got "left""#]);
    assert_eq!(
        told::<Step>(&json!({"Jump": 1})),
        [r#"/x: expected "Wait" or an object with `Go` or an object with `Turn`, got {"Jump":1}"#]
    );
    assert_eq!(told::<Step>(&json!("Wiat")), [r#"/x: expected "Wait", got "Wiat" (did you mean "Wait"?)"#]);
    assert!(told::<Step>(&json!("Wait")).is_empty());
}

#[test]
fn tuples_and_arrays_are_measured() {
    assert_eq!(told::<(u8, String)>(&json!([1])), ["/x: expected an array of 2 items, got [1]"]);
    assert_eq!(told::<(u8, String)>(&json!([1, 2])), ["/x/1: expected a string, got 2"]);
    assert_eq!(told::<Vec<bool>>(&json!("no")), [r#"/x: expected an array of booleans, got "no""#]);
    assert_eq!(told::<[u8; 3]>(&json!([1, 2])), ["/x: expected an array of 3 items, got [1,2]"]);
}

#[test]
fn at_most_twenty_are_told() {
    assert_eq!(told::<Vec<i64>>(&json!(vec!["x"; 5000])).len(), 20);
}

#[test]
fn a_schema_written_by_hand_is_enforced_too() {
    let prepared = Prepared::from_json(&json!({
        "type": "object",
        "properties": {
            "n": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
            "tags": {"type": "array", "uniqueItems": true, "minItems": 1, "items": {"type": "string"}},
            "mode": {"const": "on"},
            "not": {"not": {"type": "string"}},
        },
        "minProperties": 1,
        "if": {"required": ["n"]}, "then": {"required": ["mode"]},
        "allOf": [{"properties": {"n": {"maximum": 5}}}],
        "additionalProperties": false,
    }))
    .unwrap();
    let told = |value: Value| in_words(&violations(prepared.root(), &value));
    assert_eq!(
        told(json!({"n": 0, "tags": ["a", "a"], "not": "x", "extra": 1})),
        [
            "/extra: unknown, expected one of mode, n, not, tags",
            "/mode: missing",
            "/n: expected a number of more than 0, got 0",
            "/not: expected another value, got \"x\"",
            "/tags: expected an array without repetitions, got [\"a\",\"a\"]",
        ]
    );
    assert_eq!(told(json!({"n": 5.5, "mode": "on"})), ["/n: expected a number of at most 5, got 5.5"]);
    assert_eq!(told(json!({"n": 0.7, "mode": "on"})), ["/n: expected a multiple of 0.5, got 0.7"]);
    assert_eq!(told(json!({})), ["expected an object with at least 1 member, got {}"]);
    assert_eq!(told(json!({"tags": []})), ["/tags: expected an array of at least 1 item, got []"]);
}
