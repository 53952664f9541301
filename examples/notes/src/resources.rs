//! What clients can read: notes and their attachments, by URI.

use mcp_runtime::prelude::*;

use crate::store::{AttachmentInfo, NoteId, Store};

/// So many notes, and so many files, are listed and suggested.
const LISTED: u32 = 1000;

pub(crate) fn note_uri(id: NoteId) -> String {
    format!("note://{id}")
}

/// Names of files have blanks in them, and more.
pub(crate) fn attachment_uri(note: NoteId, name: &str) -> Result<String> {
    mcp_runtime::expand_uri("attachment://{note}/{name}", &[("note", &note), ("name", &name)])
}

/// One note, in Markdown.
#[resource("note://{id}", mime = "text/markdown", list = all_notes, blocking)]
fn note(store: State<Store>, #[arg(complete = note_ids)] id: NoteId) -> Result<Option<String>> {
    Ok(store.get(id)?.map(|note| note.markdown()))
}

fn all_notes(ctx: &Ctx) -> Result<Vec<Resource>> {
    let notes = ctx.state::<Store>()?.newest(LISTED)?;
    Ok(notes.into_iter().map(|note| Resource::new(note_uri(note.id), note.title).description(note.excerpt)).collect())
}

/// The ids that begin with what was typed.
pub(crate) fn note_ids(partial: &str, ctx: &CompletionContext) -> Result<Vec<String>> {
    let mut ids: Vec<_> = ctx.state::<Store>()?.newest(LISTED)?.iter().map(|note| note.id.to_string()).collect();
    ids.retain(|id| id.starts_with(partial));
    Ok(ids)
}

/// A file that belongs to a note.
#[resource("attachment://{note}/{name}", list = all_attachments, blocking)]
fn attachment(
    store: State<Store>,
    #[arg(complete = note_ids)] note: NoteId,
    #[arg(complete = names)] name: String,
) -> Result<Option<ResourceContents>> {
    let found = store.attachment(note, &name)?;
    Ok(found.map(|found| ResourceContents::blob(found.bytes).mime(found.mime)))
}

fn all_attachments(ctx: &Ctx) -> Result<Vec<Resource>> {
    ctx.state::<Store>()?.attachments(LISTED)?.into_iter().map(described).collect()
}

fn described(file: AttachmentInfo) -> Result<Resource> {
    let uri = attachment_uri(file.note, &file.name)?;
    Ok(Resource::new(uri, file.name).mime(file.mime).size(file.size.into()))
}

/// The names of the attachments of the note that was chosen before.
fn names(partial: &str, ctx: &CompletionContext) -> Result<Vec<String>> {
    let note = ctx.argument("note").and_then(|note| note.parse::<NoteId>().ok());
    let mut files = ctx.state::<Store>()?.attachments(LISTED)?;
    files.retain(|file| note.is_none_or(|note| note == file.note) && file.name.starts_with(partial));
    Ok(files.into_iter().map(|file| file.name).collect())
}
