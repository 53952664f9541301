use mcp_runtime::prelude::*;

#[tool]
fn echo(message: &'static str) -> String {
    message.to_owned()
}

fn main() {}
