use mcp_runtime::prelude::*;

#[resource("note://{id}", size = 5)]
fn note(id: String) -> String {
    format!("{id:?}")
}

fn main() {}
