use mcp_runtime::prelude::*;

#[resource("note://50%/{id}")]
fn note(id: String) -> String {
    format!("{id:?}")
}

fn main() {}
