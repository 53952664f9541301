//! Files that belong to notes.

use rusqlite::{OptionalExtension as _, Result, params};

use super::{NoteId, Store};

/// A file that belongs to a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub mime: String,
    pub bytes: Vec<u8>,
}

/// What an attachment is, without its content.
#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachmentInfo {
    pub note: NoteId,
    pub name: String,
    /// The media type
    pub mime: String,
    /// In bytes
    pub size: u32,
}

impl Store {
    /// Keeps a file with a note, in place of one of the same name; whether the note is there.
    pub fn attach(&self, note: NoteId, name: &str, file: &Attachment) -> Result<bool> {
        let insert = "INSERT OR REPLACE INTO attachment (note, name, mime, bytes)
                      SELECT id, ?2, ?3, ?4 FROM note WHERE id = ?1";
        Ok(self.lock().execute(insert, params![note, name, file.mime, file.bytes])? > 0)
    }

    /// One file.
    pub fn attachment(&self, note: NoteId, name: &str) -> Result<Option<Attachment>> {
        let select = "SELECT mime, bytes FROM attachment WHERE note = ? AND name = ?";
        let read = |row: &rusqlite::Row<'_>| Ok(Attachment { mime: row.get(0)?, bytes: row.get(1)? });
        self.lock().query_row(select, params![note, name], read).optional()
    }

    /// The files of the notes that came last, without their content.
    pub fn attachments(&self, limit: u32) -> Result<Vec<AttachmentInfo>> {
        let select = "SELECT note, name, mime, length(bytes) FROM attachment ORDER BY note DESC, name LIMIT ?";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(AttachmentInfo { note: row.get(0)?, name: row.get(1)?, mime: row.get(2)?, size: row.get(3)? })
        };
        self.lock().prepare_cached(select)?.query_map([limit], read)?.collect()
    }
}
