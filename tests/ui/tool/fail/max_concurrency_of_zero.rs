use mcp_runtime::prelude::*;

#[tool(max_concurrency = 0)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
