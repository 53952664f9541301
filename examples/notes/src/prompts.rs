//! What a person can begin with.

use mcp_runtime::prelude::*;

use crate::resources::{note_ids, note_uri};
use crate::store::{NoteId, Store};
use crate::tools::find;

/// What do my notes say about something? The notes that mention it come along.
#[prompt(blocking)]
fn sum_up(
    store: State<Store>,
    /// A word or two
    about: String,
) -> Result<Messages> {
    let mut messages = Messages::user(format!("What do these notes say about {about}? Name the note for each point."));
    for found in store.search(&about, 5)? {
        messages = messages.and_user(embedded(&store, found.id)?);
    }
    Ok(messages)
}

/// Put a note in order, without changing what it says.
#[prompt(blocking)]
fn tidy_up(
    store: State<Store>,
    /// Which note
    #[arg(complete = note_ids)]
    id: NoteId,
) -> Result<Messages> {
    let task =
        format!("Put this note in order with `edit_note`, id {id}: headings, lists, spelling. Its content stays.");
    Ok(Messages::user(task).and_user(embedded(&store, id)?))
}

fn embedded(store: &Store, id: NoteId) -> Result<EmbeddedResource> {
    let note = find(store, id)?;
    Ok(EmbeddedResource::text(note_uri(id), note.markdown()).mime("text/markdown"))
}
