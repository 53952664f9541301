use mcp_runtime::prelude::*;

#[tool(scopes("notes:read"))]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
