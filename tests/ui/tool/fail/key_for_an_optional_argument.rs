use mcp_runtime::prelude::*;

#[tool]
async fn greet(#[arg(optional)] name: String) -> String {
    format!("Hello, {name}!")
}

fn main() {}
