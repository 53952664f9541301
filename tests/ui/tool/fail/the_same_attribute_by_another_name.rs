use mcp_runtime::prelude::*;
use mcp_runtime::tool as handler;

#[tool]
#[handler]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
