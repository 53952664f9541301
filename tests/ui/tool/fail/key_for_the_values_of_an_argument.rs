use mcp_runtime::prelude::*;

#[tool]
async fn greet(#[arg(enum = ["Ada", "Grace"])] name: String) -> String {
    format!("Hello, {name}!")
}

fn main() {}
