use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Query {
    id: String,
}

/// One note.
#[resource("note://{id}")]
async fn note(query: Args<Query>, id: String) -> String {
    format!("{}{id}", query.id)
}

fn main() {}
