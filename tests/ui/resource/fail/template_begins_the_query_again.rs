use mcp_runtime::prelude::*;

#[resource("note://x?a=1{?id}")]
fn note(id: Option<String>) -> String {
    format!("{id:?}")
}

fn main() {}
