use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(header = "Filter")] filter: std::collections::HashMap<String, String>) -> usize {
    filter.len()
}

fn main() {}
