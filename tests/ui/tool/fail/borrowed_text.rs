use mcp_runtime::prelude::*;

#[tool]
fn echo(message: &str) -> String {
    message.to_owned()
}

fn main() {}
