use mcp_runtime::prelude::*;

#[tool]
fn answer() -> i64 = 42;

fn main() {}
