use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Query {
    text: String,
}

/// Search.
#[tool]
fn search(query: Args<Query>, other: Args<Query>) -> String {
    format!("{} or {}", query.text, other.text)
}

fn main() {}
