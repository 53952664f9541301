use mcp_runtime::prelude::*;

#[derive(Debug, mcp_runtime::serde::Deserialize, mcp_runtime::schemars::JsonSchema)]
#[serde(crate = "mcp_runtime::serde")]
#[schemars(crate = "mcp_runtime::schemars")]
enum Level {
    Low,
    High,
}

#[tool]
fn show(#[arg(default = Level::Low)] value: Level) -> String {
    format!("{value:?}")
}

fn main() {}
