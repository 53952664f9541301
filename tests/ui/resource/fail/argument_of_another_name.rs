use mcp_runtime::prelude::*;

#[resource("notes://{id}")]
fn note(note_number: u64) -> String {
    format!("Note {note_number}")
}

fn main() {}
