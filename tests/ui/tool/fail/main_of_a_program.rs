use mcp_runtime::prelude::*;

/// Say hello.
#[tool]
#[tokio::main]
async fn hello() -> String {
    "hello".to_owned()
}

fn main() {}
