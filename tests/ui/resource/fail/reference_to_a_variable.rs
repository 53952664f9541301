use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct NoteId(u32);

/// One note.
#[resource("note://{id}")]
async fn note(id: &NoteId) -> String {
    id.0.to_string()
}

fn main() {}
