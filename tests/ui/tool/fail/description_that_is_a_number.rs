use mcp_runtime::prelude::*;

const TEXT: u32 = 1;

#[tool(description = TEXT)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
