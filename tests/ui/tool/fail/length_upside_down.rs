use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(length(min = 3, max = 1))] value: Vec<i64>) -> String {
    format!("{value:?}")
}

fn main() {}
