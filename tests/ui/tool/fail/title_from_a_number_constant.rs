use mcp_runtime::prelude::*;

const TITLE: u32 = 5;

#[tool(title = TITLE)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
