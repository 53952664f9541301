use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(header = "Mcp-Param-Region")] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
