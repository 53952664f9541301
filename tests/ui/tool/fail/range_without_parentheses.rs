use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(range = 5)] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
