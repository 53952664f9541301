//! A server with every mistake that is found when it is built.

use linking_first as _;
use linking_second as _;
use mcp_runtime::Icon;
use mcp_runtime::prelude::*;
use mcp_runtime::schemars;

/// A default that only its type can refuse.
#[tool]
fn bad_default(#[arg(default = "mauve")] colour: Colour, #[arg(default = 70_000)] number: Number) {
    let _ = (colour, number);
}

/// A default that comes out of its type and breaks the argument's rule.
#[tool]
fn bad_rule(#[arg(default, range(min = 1))] count: u8) {
    let _ = count;
}

#[mcp_runtime::data]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
}

#[mcp_runtime::data]
struct Number(u16);

/// An argument that no text can give.
#[prompt]
fn bad_argument(list: Vec<String>) -> String {
    list.join(" ")
}

/// Arguments that are no object.
#[tool]
fn bad_arguments(args: Args<Vec<String>>) -> usize {
    args.len()
}

/// A header that cannot carry what the argument is.
#[tool]
fn bad_header(#[arg(header = "Ratio")] ratio: Ratio, #[arg(header = "Level")] level: Level) {
    let _ = (ratio, level);
}

#[mcp_runtime::data]
struct Ratio(f64);

#[mcp_runtime::data]
struct Level(u8);

/// State that nobody gave.
#[tool]
async fn missing_state(state: State<Missing>) {
    let _: &Missing = &state;
}

struct Missing;

/// State that was given in another way.
#[tool]
fn near_state(near: State<Near>, shared: State<dyn Send + Sync>) {
    let _: (&Near, &(dyn Send + Sync)) = (&near, &*shared);
}

struct Near;

fn broken<T>() -> T {
    panic!("no such file")
}

/// Values that panic.
#[tool(meta = broken::<u8>(), icon = broken::<Icon>())]
fn bad_values(#[arg(default = broken::<u8>())] number: u8, #[arg(example = broken::<u8>())] other: u8) {
    let _ = (number, other);
}

/// Values that do not fit.
#[tool(meta = [1, 2])]
fn bad_meta(#[arg(default = 5)] number: Alias, #[arg(example = 10, range(max = 5))] other: u8) {
    let _ = (number, other);
}

type Alias = Option<u8>;

const EMPTY: &str = "";
const YES: bool = true;

/// Constants that are what no literal may be.
#[tool(group = EMPTY, title = EMPTY, read_only = YES, destructive = YES)]
fn bad_constants() {}

const FILE: &str = "icon.png";

/// A constant that is no media type, a variable that may be absent, and one that no number can be read from.
#[resource("bad://{+path}{?query}", mime = FILE, icon = FILE)]
fn bad_variables(path: u32, query: String) -> String {
    format!("{path}{query}")
}

const PICTURE: &str = include_str!("cannot_start.rs");

/// A type that no text gives, one mistake wherever its variable stands, and a file where its address should be.
#[resource("bad://{/parts*}", icon = PICTURE)]
fn bad_parts(parts: Vec<String>) -> String {
    parts.concat()
}

type Text = String;

/// Rules that do not fit a type behind an alias, and one that no engine here knows.
#[tool]
fn bad_rules(#[arg(range(max = 5))] text: Text) {
    let _ = text;
}

/// A pattern that no engine here knows.
#[tool]
fn bad_pattern(#[arg(pattern = r"^\p{L}+$")] text: String) {
    let _ = text;
}

/// A type that panics when it is asked for its schema.
#[tool]
fn bad_type(bad: Bad) {
    let _ = bad;
}

#[derive(mcp_runtime::serde::Deserialize)]
#[serde(crate = "mcp_runtime::serde")]
struct Bad;

impl schemars::JsonSchema for Bad {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Bad".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        panic!("no schema")
    }
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::server!()
        .state(std::sync::Arc::new(Near))
        .state(5u8)
        .state(6u8)
        .tool(mcp_runtime::Tool::new("no good name").call(|_, _| async {}))
        .serve_stdio()
        .await
}
