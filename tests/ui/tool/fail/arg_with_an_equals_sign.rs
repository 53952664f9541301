use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg = "The number"] a: i64) -> i64 {
    a * 2
}

fn main() {}
