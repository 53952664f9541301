use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(default = "five")] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
