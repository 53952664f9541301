use mcp_runtime::prelude::*;

#[resource("notes/{id}")]
fn note(id: String) -> String {
    format!("{id:?}")
}

fn main() {}
