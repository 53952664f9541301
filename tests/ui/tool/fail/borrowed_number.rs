use mcp_runtime::prelude::*;

#[tool]
fn double(a: &i64) -> i64 {
    a * 2
}

fn main() {}
