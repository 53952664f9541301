use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg(range(1, 10))] number: i64) -> i64 {
    number * 2
}

fn main() {}
