use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(complete = "languages")] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
