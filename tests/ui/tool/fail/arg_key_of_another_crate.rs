use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(min = 1)] value: u32) -> u32 {
    value
}

fn main() {}
