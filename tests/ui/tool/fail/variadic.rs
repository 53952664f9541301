use mcp_runtime::prelude::*;

#[tool]
fn add(a: i64, rest: ...) -> i64 {
    a
}

fn main() {}
