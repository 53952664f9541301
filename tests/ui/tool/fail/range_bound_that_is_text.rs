use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(range(min = "one"))] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
