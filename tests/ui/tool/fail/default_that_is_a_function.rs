use mcp_runtime::prelude::*;

fn five() -> i64 {
    5
}

#[tool]
fn show(#[arg(default = five)] value: i64) -> i64 {
    value
}

fn main() {}
