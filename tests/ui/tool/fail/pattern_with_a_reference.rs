use mcp_runtime::prelude::*;

#[tool]
fn double(&number: &i64) -> i64 {
    number * 2
}

fn main() {}
