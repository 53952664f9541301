use mcp_runtime::prelude::*;

#[tool]
fn not(#[arg(length(max = 1))] flag: bool) -> bool {
    !flag
}

fn main() {}
