use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(length(min = -1))] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
