use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Query {
    text: String,
}

/// A note.
#[resource("note://{text}")]
fn note(query: Args<Query>) -> String {
    query.text.clone()
}

fn main() {}
