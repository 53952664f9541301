use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(range(minimum_value = 1))] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
