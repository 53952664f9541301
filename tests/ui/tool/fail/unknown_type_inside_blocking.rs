use mcp_runtime::prelude::*;

#[tool(blocking)]
fn total(amounts: Vec<Amount>) -> usize {
    amounts.len()
}

fn main() {}
