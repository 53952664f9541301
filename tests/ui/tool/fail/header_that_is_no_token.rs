use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(header = "The Region")] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
