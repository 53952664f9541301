use mcp_runtime::prelude::*;

fn five() -> String {
    "five".to_owned()
}

#[tool]
fn show(#[arg(default = five())] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
