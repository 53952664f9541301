use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(range())] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
