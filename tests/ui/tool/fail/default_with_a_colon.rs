use mcp_runtime::prelude::*;

#[tool]
fn wait(#[arg(default: 5)] seconds: u64) -> u64 {
    seconds
}

fn main() {}
