use mcp_runtime::prelude::*;

#[tool]
fn echo(message: Option<&str>) -> String {
    message.unwrap_or_default().to_owned()
}

fn main() {}
