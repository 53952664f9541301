use mcp_runtime::prelude::*;

#[resource("note://{id}", list = true)]
fn note(id: String) -> String {
    id
}

fn main() {}
