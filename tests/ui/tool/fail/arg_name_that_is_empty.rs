use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(name = "")] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
