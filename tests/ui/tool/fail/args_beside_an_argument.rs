use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Query {
    text: String,
}

#[tool]
fn search(query: Args<Query>, limit: u32) -> String {
    format!("{} {limit}", query.text)
}

fn main() {}
