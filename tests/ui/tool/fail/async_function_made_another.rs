use mcp_runtime::prelude::*;
use tokio::main as start;

/// Say hello.
#[tool]
#[start]
async fn hello() -> String {
    "hello".to_owned()
}

fn main() {}
