use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(length(max = 3))] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
