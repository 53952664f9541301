use mcp_runtime::prelude::*;

#[tool]
fn add(_: i64) -> i64 {
    1
}

fn main() {}
