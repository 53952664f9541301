use mcp_runtime::prelude::*;

/// Add them.
#[tool]
fn add(#[arg(length(max = 3))] values: Option<[u32; 5]>) -> u32 {
    values.iter().flatten().sum()
}

fn main() {}
