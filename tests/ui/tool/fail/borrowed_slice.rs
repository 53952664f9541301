use mcp_runtime::prelude::*;

#[tool]
fn total(numbers: &[i64]) -> i64 {
    numbers.iter().sum()
}

fn main() {}
