//! The notes in their database: the only file that speaks SQL about them. It knows nothing of MCP.

mod attachments;

use std::fmt::Display;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use attachments::{Attachment, AttachmentInfo};
use mcp_runtime::Error;
use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};

/// What a note is known by.
pub type NoteId = i64;

/// A note.
#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub id: NoteId,
    pub title: String,
    /// Markdown
    pub body: String,
    /// When it was last changed, in UTC
    pub changed: String,
}

impl Note {
    /// The whole note as one text.
    pub fn markdown(&self) -> String {
        format!("# {}\n\n{}", self.title, self.body)
    }
}

/// A note without its text, or with the part of it that was looked for.
#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub id: NoteId,
    pub title: String,
    /// The beginning of the text, or the words that were found with **stars** around them
    pub excerpt: String,
    /// When it was last changed, in UTC
    pub changed: String,
}

/// What makes a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub title: String,
    pub body: String,
}

/// The database.
#[derive(Debug)]
pub struct Store(Mutex<Connection>);

impl Store {
    /// Opens the database in this file, which is made if need be, as is its folder.
    pub fn open(file: &Path) -> mcp_runtime::Result<Self> {
        let cannot = |error: &dyn Display| Error::msg(format!("{} cannot be opened: {error}", file.display()));
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| cannot(&error))?;
        }
        Connection::open(file).and_then(Self::over).map_err(|error| cannot(&error))
    }

    /// A database that is gone with the process.
    pub fn in_memory() -> Result<Self> {
        Self::over(Connection::open_in_memory()?)
    }

    fn over(connection: Connection) -> Result<Self> {
        connection.execute_batch(include_str!("store/schema.sql"))?;
        Ok(Self(Mutex::new(connection)))
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One note.
    pub fn get(&self, id: NoteId) -> Result<Option<Note>> {
        let select = "SELECT id, title, body, changed FROM note WHERE id = ?";
        self.lock().query_row(select, [id], note).optional()
    }

    /// The notes that were changed last.
    pub fn newest(&self, limit: u32) -> Result<Vec<Found>> {
        let select = "SELECT id, title, substr(body, 1, 80), changed FROM note ORDER BY changed DESC, id DESC LIMIT ?";
        self.lock().prepare_cached(select)?.query_map([limit], found)?.collect()
    }

    /// The notes that have all these words, or words that begin with them, the best first.
    pub fn search(&self, words: &str, limit: u32) -> Result<Vec<Found>> {
        // In quotes a word is a word, whatever FTS5's own language makes of it.
        let quoted = |word| format!("\"{}\"*", str::replace(word, "\"", "\"\""));
        let query = words.split_whitespace().map(quoted).collect::<Vec<_>>().join(" ");
        if query.is_empty() {
            return Ok(Vec::new());
        }
        let select = "SELECT id, note.title, snippet(note_text, -1, '**', '**', '…', 16), changed
                      FROM note_text JOIN note ON id = note_text.rowid
                      WHERE note_text MATCH ? ORDER BY rank LIMIT ?";
        self.lock().prepare_cached(select)?.query_map(params![query, limit], found)?.collect()
    }

    /// Keeps a note.
    pub fn add(&self, draft: &Draft) -> Result<Note> {
        insert(&self.lock(), draft)
    }

    /// Keeps all of these notes, or none.
    pub fn add_all(&self, drafts: &[Draft]) -> Result<Vec<Note>> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let notes = drafts.iter().map(|draft| insert(&transaction, draft)).collect::<Result<_>>()?;
        transaction.commit()?;
        Ok(notes)
    }

    /// Changes what is given of a note.
    pub fn edit(&self, id: NoteId, title: Option<&str>, body: Option<&str>) -> Result<Option<Note>> {
        let update = "UPDATE note SET title = ifnull(?2, title), body = ifnull(?3, body),
                                      changed = strftime('%Y-%m-%dT%H:%M:%SZ')
                      WHERE id = ?1 RETURNING id, title, body, changed";
        self.lock().query_row(update, params![id, title, body], note).optional()
    }

    /// Deletes a note and its attachments; whether it was there.
    pub fn delete(&self, id: NoteId) -> Result<bool> {
        Ok(self.lock().execute("DELETE FROM note WHERE id = ?", [id])? > 0)
    }

    /// Leaves the database in one file, in good order.
    pub fn close(&self) -> Result<()> {
        // The log of writes goes with the mode that keeps one, whoever still has the store when the process ends.
        self.lock().execute_batch("PRAGMA optimize; PRAGMA journal_mode = DELETE;")
    }
}

fn insert(connection: &Connection, draft: &Draft) -> Result<Note> {
    let insert = "INSERT INTO note (title, body) VALUES (?, ?) RETURNING id, title, body, changed";
    connection.prepare_cached(insert)?.query_row(params![draft.title, draft.body], note)
}

fn note(row: &Row<'_>) -> Result<Note> {
    Ok(Note { id: row.get(0)?, title: row.get(1)?, body: row.get(2)?, changed: row.get(3)? })
}

fn found(row: &Row<'_>) -> Result<Found> {
    Ok(Found { id: row.get(0)?, title: row.get(1)?, excerpt: row.get(2)?, changed: row.get(3)? })
}
