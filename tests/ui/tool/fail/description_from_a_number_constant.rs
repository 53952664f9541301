use mcp_runtime::prelude::*;

const LIMIT: u32 = 80;

#[tool]
async fn greet(#[arg(description = LIMIT)] name: String) -> String {
    format!("Hello, {name}!")
}

fn main() {}
