use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(from_str = true)] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
