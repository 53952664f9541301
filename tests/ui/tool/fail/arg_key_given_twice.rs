use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(title = "A", title = "B")] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
