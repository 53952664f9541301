use mcp_runtime::prelude::*;

#[tool]
fn echo(message: impl ToString) -> String {
    message.to_string()
}

fn main() {}
