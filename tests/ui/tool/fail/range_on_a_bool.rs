use mcp_runtime::prelude::*;

#[tool]
fn not(#[arg(range(max = 1))] flag: bool) -> bool {
    !flag
}

fn main() {}
