use mcp_runtime::prelude::*;

#[resource("note://{id:3}")]
fn note(id: String) -> String {
    format!("{id:?}")
}

fn main() {}
