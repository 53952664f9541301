use mcp_runtime::prelude::*;

/// Add two numbers.
#[tool(output_schema = SCHEMA)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
