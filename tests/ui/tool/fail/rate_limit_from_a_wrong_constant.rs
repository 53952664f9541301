use mcp_runtime::prelude::*;

const LIMIT: &str = "10 per second";

#[tool(rate_limit = LIMIT)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
