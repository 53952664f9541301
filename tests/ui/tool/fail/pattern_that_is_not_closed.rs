use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(pattern = "^(a|b$")] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
