use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(default = 5)] value: Option<i64>) -> String {
    format!("{value:?}")
}

fn main() {}
