use mcp_runtime::prelude::*;

/// Echo a text.
#[tool]
async fn echo(text: String) -> String
where
    String: Copy,
{
    text
}

fn main() {}
