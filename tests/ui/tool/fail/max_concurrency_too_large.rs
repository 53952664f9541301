use mcp_runtime::prelude::*;

#[tool(max_concurrency = 99999999999999999999)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
