use mcp_runtime::prelude::*;

#[tool]
async fn add(a: i64, b: i64) -> i64;

fn main() {}
