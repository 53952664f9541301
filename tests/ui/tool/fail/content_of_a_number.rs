use mcp_runtime::prelude::*;

/// Count the words.
#[tool]
fn count(text: String) -> Content {
    Content::text(text.split_whitespace().count())
}

fn main() {}
