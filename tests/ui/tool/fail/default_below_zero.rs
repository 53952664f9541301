use mcp_runtime::prelude::*;

#[tool]
fn double(#[arg(default = -1)] number: u32) -> u32 {
    number * 2
}

fn main() {}
