use mcp_runtime::prelude::*;

type Name = &'static str;

/// Greet someone.
#[tool]
async fn greet(name: Option<Name>) -> String {
    format!("Hello, {}!", name.unwrap_or("you"))
}

fn main() {}
