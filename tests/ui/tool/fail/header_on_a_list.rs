use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(header = "Regions")] value: Vec<String>) -> String {
    format!("{value:?}")
}

fn main() {}
