use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[derive(Debug)]
enum Level {
    Low,
    High,
}

#[tool]
fn show(#[arg(default)] value: Level) -> String {
    format!("{value:?}")
}

fn main() {}
