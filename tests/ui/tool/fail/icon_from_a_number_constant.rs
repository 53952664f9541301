use mcp_runtime::prelude::*;

const ICON: u32 = 5;

#[tool(icon = ICON)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
