use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(pattern = "^(?=a)")] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
