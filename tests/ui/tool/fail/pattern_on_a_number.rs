use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(pattern = "^[0-9]+$")] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
