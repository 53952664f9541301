use mcp_runtime::prelude::*;

#[resource("note://x#y{?id}")]
fn note(id: Option<String>) -> String {
    format!("{id:?}")
}

fn main() {}
