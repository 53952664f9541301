use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Note {
    text: String,
}

/// All notes.
#[tool]
async fn notes() -> Result<Vec<Json<Note>>> {
    Ok(Vec::new())
}

fn main() {}
