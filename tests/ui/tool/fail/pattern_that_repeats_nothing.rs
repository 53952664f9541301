use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(pattern = "*")] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
