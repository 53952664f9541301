use mcp_runtime::prelude::*;

#[resource("note://{id}")]
fn note(id: &str) -> String {
    id.to_owned()
}

fn main() {}
