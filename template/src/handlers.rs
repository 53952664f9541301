//! What clients can call, read and ask for. A doc comment is what the model reads.

use mcp_runtime::prelude::*;

use crate::Notes;

/// A note that was kept.
#[mcp_runtime::data]
struct Kept {
    /// Its number
    id: u32,
    /// Where it can be read
    uri: String,
}

/// Keep a note.
#[tool(destructive = false)]
fn add_note(
    notes: State<Notes>,
    /// The text of the note
    #[arg(length(min = 1, max = 10000))]
    text: String,
) -> Json<Kept> {
    let id = notes.add(text);
    Json(Kept { id, uri: format!("note://{id}") })
}

/// One note, as plain text.
#[resource("note://{id}", list = all_notes)]
fn note(notes: State<Notes>, id: u32) -> Option<String> {
    notes.text(id)
}

fn all_notes(ctx: &Ctx) -> Result<Vec<u32>> {
    Ok(ctx.state::<Notes>()?.ids())
}

/// Summarize a note.
#[prompt]
fn summarize(
    notes: State<Notes>,
    /// The number of the note
    id: u32,
) -> Result<Messages> {
    let text = notes
        .text(id)
        .ok_or_else(|| mcp_runtime::Error::invalid_params(format!("there is no note {id}")))?;
    Ok(Messages::user(format!("Summarize this note in one sentence:\n\n{text}")))
}
