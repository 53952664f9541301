use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(rnage(min = 1))] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
