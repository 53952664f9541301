use mcp_runtime::prelude::*;

#[resource("note://{!id}")]
fn note(id: String) -> String {
    format!("{id:?}")
}

fn main() {}
