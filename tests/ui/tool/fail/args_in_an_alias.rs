use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Query {
    text: String,
}

type Whole = Args<Query>;

/// Search.
#[tool]
fn search(query: Whole, limit: u32) -> String {
    format!("{limit} of {}", query.text)
}

fn main() {}
