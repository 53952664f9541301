use mcp_runtime::prelude::*;

#[tool]
fn größe(a: i64) -> i64 {
    a
}

fn main() {}
