use mcp_runtime::prelude::*;

#[resource("note://my notes/{id}")]
fn note(id: String) -> String {
    format!("{id:?}")
}

fn main() {}
