//! The handlers: each says what it was given.

use std::collections::{BTreeMap, HashMap};

use futures::{FutureExt as _, StreamExt as _};
use mcp_runtime::prelude::*;
use serde_json::Value;

/// Where something is.
#[mcp_runtime::data]
#[derive(Debug)]
pub(super) struct Place {
    /// East
    pub(super) x: i32,
    pub(super) y: Option<f64>,
    #[serde(default)]
    tags: Vec<String>,
}

/// One of few.
#[mcp_runtime::data]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum Colour {
    /// Like blood
    Red,
    /// Like grass
    Green,
}

/// One of several shapes.
#[mcp_runtime::data]
#[derive(Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Shape {
    /// Round
    Circle {
        radius: u32,
    },
    Square {
        side: f64,
    },
}

/// A tree.
#[mcp_runtime::data]
#[derive(Debug)]
pub(super) struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}

/// Flattened.
#[mcp_runtime::data]
#[derive(Debug)]
pub(super) struct Flat {
    own: u8,
    #[serde(flatten)]
    place: Place,
}

type Alias = Option<u32>;

/// A newtype of an optional value.
#[mcp_runtime::data]
#[derive(Debug)]
pub(super) struct Wrapped(Option<u8>);

#[tool]
fn integer(value: i64) -> String {
    format!("{value:?}")
}

#[tool]
fn small(value: u8) -> String {
    format!("{value:?}")
}

#[tool]
fn float(value: f64) -> String {
    format!("{value:?}")
}

#[tool]
fn boolean(value: bool) -> String {
    format!("{value:?}")
}

#[tool]
fn text(value: String) -> String {
    format!("{value:?}")
}

#[tool]
fn optional_text(value: Option<String>) -> String {
    format!("{value:?}")
}

#[tool]
fn optional(value: Option<i64>, alias: Alias, boxed: Box<Option<u8>>, wrapped: Wrapped) -> String {
    format!("{value:?} {alias:?} {boxed:?} {:?}", wrapped.0)
}

#[tool]
fn defaulted(#[arg(default = 7)] value: i64, #[arg(default)] list: Vec<u8>) -> String {
    format!("{value:?} {list:?}")
}

#[tool]
fn list(value: Vec<i64>) -> String {
    format!("{value:?}")
}

#[tool]
fn texts(value: Vec<String>) -> String {
    format!("{value:?}")
}

#[tool]
fn place(value: Place) -> String {
    format!("{value:?}")
}

#[tool]
fn colour(value: Colour) -> String {
    format!("{value:?}")
}

#[tool]
fn shape(value: Shape) -> String {
    format!("{value:?}")
}

#[tool]
fn tree(value: Tree) -> String {
    format!("{value:?}")
}

#[tool]
fn flat(value: Flat) -> String {
    format!("{value:?}")
}

#[tool]
fn map(value: BTreeMap<String, i64>) -> String {
    format!("{value:?}")
}

#[tool]
fn pair(value: (i64, bool)) -> String {
    format!("{value:?}")
}

#[tool]
fn any(value: Value, many: Option<Vec<Value>>, by_name: Option<HashMap<String, Value>>) -> String {
    format!("{value} {} {}", many.is_some(), by_name.is_some())
}

/// Kinds of numbers.
#[tool]
#[expect(clippy::too_many_arguments, reason = "one of each")]
fn numbers(a: u8, b: u16, c: u32, d: u64, e: usize, f: i8, g: i32, h: f32, i: f64, j: Option<u64>) -> String {
    format!("{a} {b} {c} {d} {e} {f} {g} {h} {i} {j:?}")
}

/// Twelve arguments.
#[tool]
#[expect(clippy::too_many_arguments, reason = "a dozen")]
fn twelve(zeta: u8, alpha: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, beta: u8) -> u32 {
    [zeta, alpha, c, d, e, f, g, h, i, j, k, beta].map(u32::from).iter().sum()
}

#[tool]
fn ruled(
    #[arg(range(min = 1, max = 100))] ranged: Option<i64>,
    #[arg(length(min = 2, max = 3))] measured: Option<String>,
    #[arg(length(max = 2))] few: Option<Vec<u8>>,
    #[arg(pattern = "^[a-z]+$")] patterned: Option<String>,
    #[arg(range(min = 1, max = 5000))] pages: Option<u32>,
) -> String {
    format!("{ranged:?} {measured:?} {few:?} {patterned:?} {pages:?}")
}

/// A rule inside a type.
#[mcp_runtime::data]
#[derive(Debug)]
pub(super) struct Inside {
    #[schemars(range(min = 1, max = 5))]
    level: u8,
}

#[tool]
fn nested_rule(value: Inside) -> String {
    format!("{value:?}")
}

/// The whole.
#[mcp_runtime::data]
pub(super) struct Whole {
    count: u8,
    place: Option<Place>,
    #[serde(default)]
    colour: Option<Colour>,
}

#[tool]
fn whole(args: Args<Whole>) -> String {
    format!("{} {:?} {:?}", args.count, args.place, args.colour)
}

/// A tagged enum as the whole.
#[tool]
fn whole_shape(args: Args<Shape>) -> String {
    format!("{:?}", args.0)
}

#[tool]
fn whole_value(args: Args<HashMap<String, Value>>) -> usize {
    args.len()
}

/// Streams over borrowed items in the body. A closure over borrowed items that is held across an await is more than rustc
/// can show to be `Send` (<https://github.com/rust-lang/rust/issues/102211>), whoever asks: so the futures are made first.
#[tool]
async fn streams_over_borrowed(values: Vec<u64>) -> Json<u64> {
    let doubled: Vec<_> = values.iter().map(|value| async move { *value * 2 }).collect();
    let sum = futures::stream::iter(doubled).buffer_unordered(4).fold(0, |sum, value| async move { sum + value }).await;
    Json(sum)
}

/// Streams over borrowed items, boxed.
#[tool]
async fn streams_over_boxed(values: Vec<u64>) -> Json<u64> {
    let doubled = futures::stream::iter(values.iter()).map(|value| async move { *value * 2 }.boxed());
    Json(doubled.buffer_unordered(4).boxed().fold(0, |sum, value| async move { sum + value }).await)
}

/// Streams over owned items in the body.
#[tool]
async fn streams_over_owned(values: Vec<u64>) -> Json<u64> {
    let doubled = futures::stream::iter(values).map(|value| async move { value * 2 });
    Json(doubled.buffer_unordered(4).fold(0, |sum, value| async move { sum + value }).await)
}

#[tool]
fn nothing() {}

/// What is written.
#[mcp_runtime::data]
pub(super) struct Written {
    always: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sometimes: Option<u8>,
    #[serde(default)]
    defaulted: u8,
    #[serde(rename = "other")]
    renamed: bool,
}

#[tool]
fn written() -> Json<Written> {
    Json(Written { always: None, sometimes: None, defaulted: 0, renamed: true })
}

#[tool]
fn single(value: f32) -> String {
    format!("{value:?}")
}

#[tool]
fn optional_single(value: Option<f32>) -> String {
    format!("{value:?}")
}

/// A result with floats.
#[mcp_runtime::data]
struct Ratio {
    ratio: f64,
    perhaps: Option<f64>,
    parts: Vec<f32>,
}

#[tool]
fn ratio(value: String, part: Option<String>) -> Json<Ratio> {
    let parts = part.iter().map(|part| part.parse().expect("a float")).collect();
    Json(Ratio { ratio: value.parse().expect("a float"), perhaps: None, parts })
}

#[tool]
fn bare_ratio(value: String) -> Json<f64> {
    Json(value.parse().expect("a float"))
}
