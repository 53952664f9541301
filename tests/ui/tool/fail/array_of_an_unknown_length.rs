use mcp_runtime::prelude::*;

/// Add them.
#[tool]
fn add(values: [u32; N]) -> u32 {
    values.iter().sum()
}

fn main() {}
