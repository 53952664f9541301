use mcp_runtime::prelude::*;

#[tool]
async fn greet(#[arg(required)] name: String) -> String {
    format!("Hello, {name}!")
}

fn main() {}
