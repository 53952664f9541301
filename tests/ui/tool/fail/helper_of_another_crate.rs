use mcp_runtime::prelude::*;

#[tool]
fn show(#[serde(default)] value: u32) -> u32 {
    value
}

fn main() {}
