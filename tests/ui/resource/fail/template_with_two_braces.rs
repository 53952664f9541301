use mcp_runtime::prelude::*;

#[resource("notes://{{id}}")]
fn note(id: u64) -> String {
    format!("Note {id}")
}

fn main() {}
