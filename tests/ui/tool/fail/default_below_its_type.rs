use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(default = -1)] value: u8) -> String {
    format!("{value:?}")
}

fn main() {}
