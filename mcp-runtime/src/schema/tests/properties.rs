//! What holds for every value and every schema.

use std::collections::BTreeMap;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::super::{
    normalise::{Side, normalise},
    *,
};
use super::{one, portable::faults, schema_fn};

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) enum Level {
    Low,
    /// More than low.
    High,
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
pub(super) enum Inner {
    A { id: u8, name: Option<String> },
    B { list: Vec<i64> },
    C,
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    One(i32),
    Two { a: String },
    Three,
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) enum External {
    Unit,
    New(f64),
    Pair(i8, bool),
    Fields { a: Option<u64> },
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
pub(super) enum Untagged {
    Number(i64),
    Text(String),
    Flags(Vec<bool>),
    Map(BTreeMap<String, u8>),
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct Whole {
    id: u32,
    name: String,
    ratio: Option<f64>,
    #[serde(default)]
    list: Vec<Untagged>,
    #[serde(default)]
    kind: Option<Level>,
    a: Option<Box<Self>>,
    c: Value,
    #[serde(flatten)]
    t: Adjacent,
}

#[derive(JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct Open {
    id: bool,
    #[serde(flatten)]
    rest: BTreeMap<String, i16>,
}

#[derive(JsonSchema)]
pub(super) enum Never {}

/// Words that are field names, tags or values of the types above, so that random JSON is often almost right.
const WORDS: [&str; 24] = [
    "id",
    "name",
    "list",
    "kind",
    "a",
    "c",
    "t",
    "ratio",
    "A",
    "B",
    "C",
    "One",
    "Two",
    "Three",
    "Unit",
    "New",
    "Pair",
    "Fields",
    "Low",
    "High",
    "true",
    "12",
    "-3.0",
    "[1,\"2\"]",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![4 => proptest::sample::select(&WORDS[..]).prop_map(str::to_owned), 1 => ".{0,4}"]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-5..300_i64).prop_map(Value::from),
        (-5..300_i16).prop_map(|number| Value::from(f64::from(number))),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((word(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A check that whatever serde accepts stays as it is and, whatever comes, nothing panics.
fn keeps_good_values<T: JsonSchema + DeserializeOwned>() -> Box<dyn Fn(&Value)> {
    let prepared = one::<T>();
    Box::new(move |value| {
        let schema = prepared.property("x").unwrap();
        let mut after = value.clone();
        let changed = coerce(schema, &mut after);
        if serde_json::from_value::<T>(value.clone()).is_ok() {
            assert!(!changed && after == *value, "{value} became {after}");
        }
        coerce_raw(schema, &value.to_string()).ok();
        for violation in violations(schema, value) {
            let pointer = violation.pointer();
            assert!(pointer.is_empty() || pointer.starts_with('/'));
            assert!(!violation.to_string().is_empty());
        }
    })
}

/// A check that what serde writes for a type is what both schemas of the type accept.
fn is_described<T: JsonSchema + Serialize>() -> impl Fn(&T) {
    let prepared = one::<T>();
    let output = TypeSchema::made(schema_fn::<T>()).output(SchemaProfile::Portable).unwrap().unwrap();
    let graph = Graph::new(&serde_json::from_str(output.wire().get()).unwrap(), pattern::compile);
    move |value| {
        let value = serde_json::to_value(value).unwrap();
        let schema = prepared.property("x").unwrap();
        assert_eq!(violations(schema, &value), [], "input of {value}");
        assert_eq!(violations(graph.root(), &value), [], "output of {value}");
        assert!(!coerce(schema, &mut value.clone()), "{value} was rewritten");
    }
}

fn level() -> impl Strategy<Value = Level> {
    prop_oneof![Just(Level::Low), Just(Level::High)]
}

fn untagged() -> impl Strategy<Value = Untagged> {
    prop_oneof![
        any::<i64>().prop_map(Untagged::Number),
        word().prop_map(Untagged::Text),
        any::<Vec<bool>>().prop_map(Untagged::Flags),
        proptest::collection::btree_map(word(), any::<u8>(), 0..3).prop_map(Untagged::Map),
    ]
}

fn adjacent() -> impl Strategy<Value = Adjacent> {
    prop_oneof![any::<i32>().prop_map(Adjacent::One), word().prop_map(|a| Adjacent::Two { a }), Just(Adjacent::Three),]
}

fn external() -> impl Strategy<Value = External> {
    prop_oneof![
        Just(External::Unit),
        (-1e9..1e9).prop_map(External::New),
        any::<(i8, bool)>().prop_map(|(a, b)| External::Pair(a, b)),
        any::<Option<u64>>().prop_map(|a| External::Fields { a }),
    ]
}

fn inner() -> impl Strategy<Value = Inner> {
    prop_oneof![
        (any::<u8>(), proptest::option::of(word())).prop_map(|(id, name)| Inner::A { id, name }),
        any::<Vec<i64>>().prop_map(|list| Inner::B { list }),
        Just(Inner::C),
    ]
}

fn whole() -> impl Strategy<Value = Whole> {
    let fields = (
        any::<u32>(),
        word(),
        proptest::option::of(-1e9..1e9),
        proptest::collection::vec(untagged(), 0..3),
        proptest::option::of(level()),
        any_json(),
        adjacent(),
    );
    let flat = fields.prop_map(|(id, name, ratio, list, kind, c, t)| {
        // A flattened `c` would meet the field `c`.
        let t = if matches!(t, Adjacent::Three) { t } else { Adjacent::Three };
        Whole { id, name, ratio, list, kind, a: None, c, t }
    });
    flat.prop_recursive(2, 3, 1, |inner| {
        (inner.clone(), inner).prop_map(|(outer, inner)| Whole { a: Some(Box::new(inner)), ..outer })
    })
}

/// Something like a schema: keywords that mean something, with values that often do.
fn any_schema() -> impl Strategy<Value = Value> {
    let kind = || proptest::sample::select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        kind().prop_map(|kind| json!({"type": kind})),
        kind().prop_map(|kind| json!({"type": [kind, "null"], "format": "uint8", "description": "d"})),
        any_json().prop_map(|value| json!({"const": value, "description": "one"})),
        proptest::collection::vec(any_json(), 0..3).prop_map(|values| json!({"enum": values})),
        Just(json!({"$ref": "#/$defs/a"})),
        Just(json!({"$ref": "#"})),
        Just(json!({"type": "string", "nullable": true, "$schema": "x", "default": null, "pattern": "("})),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        let list = || proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from);
        let named = || {
            proptest::collection::vec((word(), inner.clone()), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>()))
        };
        let keyword = prop_oneof![
            (proptest::sample::select(vec!["anyOf", "oneOf", "allOf", "prefixItems"]), list()),
            (proptest::sample::select(vec!["properties", "patternProperties", "$defs"]), named()),
            (
                proptest::sample::select(vec![
                    "items",
                    "additionalProperties",
                    "unevaluatedProperties",
                    "not",
                    "if",
                    "then",
                    "contains"
                ]),
                inner.clone()
            ),
            (Just("required"), proptest::collection::vec(word(), 0..3).prop_map(Value::from)),
            (Just("type"), kind().prop_map(Value::from)),
            (Just("minimum"), any::<i8>().prop_map(Value::from)),
            (Just("description"), word().prop_map(Value::from)),
        ];
        proptest::collection::vec(keyword, 1..5).prop_map(|keywords| {
            Value::Object(keywords.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        })
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn what_the_strict_decoder_accepts_comes_out_unchanged() {
    let checks = [
        keeps_good_values::<Whole>(),
        keeps_good_values::<Open>(),
        keeps_good_values::<External>(),
        keeps_good_values::<Adjacent>(),
        keeps_good_values::<Inner>(),
        keeps_good_values::<Untagged>(),
        keeps_good_values::<Option<Level>>(),
        keeps_good_values::<Vec<Option<Untagged>>>(),
        keeps_good_values::<BTreeMap<i8, Inner>>(),
        keeps_good_values::<(u8, Option<String>, f32)>(),
        keeps_good_values::<Value>(),
        keeps_good_values::<i64>(),
        keeps_good_values::<u128>(),
        keeps_good_values::<char>(),
        keeps_good_values::<String>(),
    ];
    proptest!(config(), |(value in any_json())| checks.iter().for_each(|check| check(&value)));
}

#[test]
fn what_serde_writes_is_what_the_schemas_describe() {
    let check = is_described();
    proptest!(config(), |(value in whole())| check(&value));
    let check = is_described();
    proptest!(config(), |(value in external())| check(&value));
    let check = is_described();
    proptest!(config(), |(value in proptest::option::of(inner()))| check(&value));
    let check = is_described();
    proptest!(config(), |(value in proptest::collection::vec(adjacent(), 0..3))| check(&value));
    let check = is_described();
    proptest!(config(), |(value in untagged())| check(&value));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_schema_becomes_portable_and_stays_so(schema in any_schema()) {
        for side in [Side::Input, Side::Output] {
            let mut shown = schema.clone();
            // Twice, as after inlining.
            for _ in 0..2 {
                normalise(&mut shown, side);
                let mut written = shown.clone();
                notes::write(&mut written, side);
                let mut found = Vec::new();
                faults(&written, side, "", &mut found);
                prop_assert!(found.is_empty(), "{:#?}\n{}\nfrom {}", found, written, schema);
            }
        }
    }

    #[test]
    fn no_schema_and_no_value_makes_the_walker_panic(schema in any_schema(), value in any_json()) {
        let graph = Graph::new(&schema, pattern::compile);
        let root = graph.root();
        let mut after = value.clone();
        coerce(root, &mut after);
        prop_assert!(violations(root, &value).len() <= 20);
        drop((readable_from_text(root), closed_values(root), root.names()));
    }

    #[test]
    fn no_text_makes_reading_panic(text in ".*", raw in any_json()) {
        let prepared = one::<Whole>();
        coerce_raw(prepared.root(), &text).ok();
        parse(&text).ok();
        let limits = Constraints::new().min(Bound::float(0.5)).max_length(3).pattern("^a+$");
        drop((limits.check(&text), limits.check(&raw.to_string())));
        nearest(&text, WORDS).map(str::len);
    }
}
