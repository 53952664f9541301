use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(range(min = 9, max = 1))] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
