use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(range(min = 1))] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
