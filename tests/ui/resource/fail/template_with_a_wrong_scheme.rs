use mcp_runtime::prelude::*;

#[resource("my_notes://{id}")]
fn note(id: u64) -> String {
    format!("Note {id}")
}

fn main() {}
