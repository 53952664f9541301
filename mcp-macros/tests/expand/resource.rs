/// One note, as Markdown.
#[doc = include_str!("note.md")]
#[resource(
    "note://{id}",
    mime = "text/markdown",
    list = all_notes,
    audience(user, assistant),
    priority = 1,
    cache(ttl = "5m", scope = "public")
)]
fn note(notes: State<Notes>, #[arg(from_str)] id: NoteId) -> Option<String> {
    notes.body(&id)
}
