use mcp_runtime::prelude::*;

const LIMIT: &str = "30";

#[tool(timeout = LIMIT)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
