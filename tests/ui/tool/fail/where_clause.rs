use mcp_runtime::prelude::*;

#[tool]
fn echo(message: String) -> String
where
    String: Clone,
{
    message
}

fn main() {}
