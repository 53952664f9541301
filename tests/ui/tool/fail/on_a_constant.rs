use mcp_runtime::prelude::*;

#[tool]
const ADD: i64 = 1;

fn main() {}
