use mcp_runtime::prelude::*;

#[resource("note://{}")]
fn note(id: String) -> String {
    format!("{id:?}")
}

fn main() {}
