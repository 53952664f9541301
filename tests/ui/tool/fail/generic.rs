use mcp_runtime::prelude::*;

#[tool]
async fn echo<T: ToString>(message: T) -> String {
    message.to_string()
}

fn main() {}
