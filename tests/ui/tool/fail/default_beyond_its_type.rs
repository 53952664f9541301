use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(default = 300)] value: u8) -> String {
    format!("{value:?}")
}

fn main() {}
