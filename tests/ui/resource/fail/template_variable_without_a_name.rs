use mcp_runtime::prelude::*;

#[resource("note://{}")]
fn note(id: String) -> String {
    String::new()
}

fn main() {}
