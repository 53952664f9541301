use mcp_runtime::prelude::*;

/// Add two numbers.
#[tool(title = "Add numbers".to_string())]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
