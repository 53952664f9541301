use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(default = 0, range(min = 1, max = 9))] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
