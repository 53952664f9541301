use mcp_runtime::prelude::*;

#[tool]
fn total(numbers: Vec<_>) -> i64 {
    1
}

fn main() {}
