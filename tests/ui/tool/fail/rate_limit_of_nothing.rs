use mcp_runtime::prelude::*;

#[tool(rate_limit = "0/s")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
