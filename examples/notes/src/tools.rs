//! What a model can do with notes. SQLite waits for the disk, so all of it is `blocking`.

use std::path::Path;

use mcp_runtime::prelude::*;

use crate::files::Files;
use crate::resources::{attachment_uri, note_uri};
use crate::store::{Attachment, AttachmentInfo, Draft, Found, Note, NoteId, Store};

/// Write a new note.
#[tool(destructive = false, blocking)]
fn add_note(
    ctx: &Ctx,
    store: State<Store>,
    /// What it is about, in a few words
    #[arg(length(min = 1, max = 200))]
    title: String,
    /// The text, in Markdown
    #[arg(length(max = 100_000))]
    body: String,
) -> Result<Json<Note>> {
    let note = store.add(&Draft { title, body })?;
    ctx.server().resources_changed();
    Ok(Json(note))
}

/// Read a note.
#[tool(read_only, blocking)]
fn read_note(
    store: State<Store>,
    /// Which note
    id: NoteId,
) -> Result<Json<Note>> {
    find(&store, id).map(Json)
}

/// Change the title or the text of a note. What is left out stays as it is.
#[tool(idempotent, blocking)]
fn edit_note(
    ctx: &Ctx,
    store: State<Store>,
    /// Which note
    id: NoteId,
    /// The new title
    #[arg(length(min = 1, max = 200))]
    title: Option<String>,
    /// The whole new text, in Markdown
    #[arg(length(max = 100_000))]
    body: Option<String>,
) -> Result<Json<Note>> {
    let note = store.edit(id, title.as_deref(), body.as_deref())?.ok_or_else(|| missing(id))?;
    changed(ctx, id);
    Ok(Json(note))
}

/// Find the notes that have all of some words, the best first. The beginnings of words are enough.
#[tool(read_only, blocking)]
fn search_notes(
    store: State<Store>,
    /// What to look for
    #[arg(length(min = 1, max = 1000))]
    words: String,
    /// How many at most
    #[arg(default = 10, range(min = 1, max = 100))]
    limit: u32,
) -> Result<Json<Vec<Found>>> {
    Ok(Json(store.search(&words, limit)?))
}

/// List the notes that were changed last.
#[tool(read_only, blocking)]
fn recent_notes(
    store: State<Store>,
    /// How many at most
    #[arg(default = 10, range(min = 1, max = 100))]
    limit: u32,
) -> Result<Json<Vec<Found>>> {
    Ok(Json(store.newest(limit)?))
}

#[derive(Elicit)]
struct Confirm {
    /// Yes, delete it
    #[elicit(title = "Delete it")]
    sure: bool,
}

/// Delete a note and its attachments for good. The person is asked first.
#[tool(destructive, blocking)]
fn delete_note(
    ctx: &Ctx,
    store: State<Store>,
    /// Which note
    id: NoteId,
    #[ask(with = really(store, id))] confirm: Confirm,
) -> Result<&'static str> {
    if !confirm.sure {
        return Ok("The note stays.");
    }
    store.delete(id)?;
    changed(ctx, id);
    Ok("The note is deleted.")
}

fn really(store: &Store, id: &NoteId) -> Result<Question<Confirm>> {
    let note = find(store, *id)?;
    Ok(Question::ask(format!("Delete the note “{}” for good?", note.title)))
}

/// Keep a file with a note: a picture, a PDF, anything.
#[tool(disabled, destructive = false, idempotent, blocking)]
fn attach_file(
    ctx: &Ctx,
    store: State<Store>,
    files: State<Files>,
    /// Which note
    id: NoteId,
    /// The path of the file
    file: String,
) -> Result<Json<AttachmentInfo>> {
    let path = files.find(&file)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let content = read(&path)?;
    if !store.attach(id, &name, &content)? {
        return Err(missing(id));
    }
    ctx.server().resource_updated(attachment_uri(id, &name)?);
    ctx.server().resources_changed();
    Ok(Json(AttachmentInfo { note: id, name, mime: content.mime, size: u32::try_from(content.bytes.len())? }))
}

/// An attachment is sent in one message.
const LARGEST: u64 = 8 * 1024 * 1024;

fn read(path: &Path) -> Result<Attachment> {
    if path.metadata()?.len() > LARGEST {
        return Err(mcp_runtime::Error::msg("the file is larger than 8 MiB"));
    }
    let mime = mime_guess::from_path(path).first_or_octet_stream().to_string();
    Ok(Attachment { mime, bytes: std::fs::read(path)? })
}

/// The note, which the caller says is there.
pub(crate) fn find(store: &Store, id: NoteId) -> Result<Note> {
    store.get(id)?.ok_or_else(|| missing(id))
}

fn missing(id: NoteId) -> mcp_runtime::Error {
    mcp_runtime::Error::msg(format!("there is no note {id}"))
}

/// Tells those who have subscribed to the note, and those who show the list.
fn changed(ctx: &Ctx, id: NoteId) {
    ctx.server().resource_updated(note_uri(id));
    ctx.server().resources_changed();
}
