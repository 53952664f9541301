use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct NoteId(u32);

/// One note.
#[resource("note://{id}")]
async fn note(NoteId(id): NoteId) -> String {
    id.to_string()
}

fn main() {}
