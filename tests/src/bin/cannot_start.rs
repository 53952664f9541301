//! A server with every mistake that is found when it is built.

use linking_first as _;
use linking_second as _;
use mcp_runtime::prelude::*;

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

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::server!()
        .state(5u8)
        .state(6u8)
        .tool(mcp_runtime::Tool::new("no good name").call(|_, _| async {}))
        .serve_stdio()
        .await
}
