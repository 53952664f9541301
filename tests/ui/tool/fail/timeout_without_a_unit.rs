use mcp_runtime::prelude::*;

#[tool(timeout = "30")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
