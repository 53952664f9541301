use mcp_runtime::prelude::*;

#[prompt]
fn review() -> u32 {
    5
}

fn main() {}
