use mcp_runtime::prelude::*;

#[resource("note://today")]
fn note() -> u32 {
    5
}

fn main() {}
