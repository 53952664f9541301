use mcp_runtime::prelude::*;

#[tool]
fn say(text: str) -> u32 {
    text.len() as u32
}

fn main() {}
