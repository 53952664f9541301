//! The state that all calls share.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Notes in memory, by number.
#[derive(Debug, Default)]
pub struct Notes(Mutex<BTreeMap<u32, String>>);

impl Notes {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u32, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a text; its number.
    pub fn add(&self, text: String) -> u32 {
        let mut notes = self.all();
        let id = notes.keys().last().map_or(1, |last| last + 1);
        notes.insert(id, text);
        id
    }

    /// The text of a note.
    pub fn text(&self, id: u32) -> Option<String> {
        self.all().get(&id).cloned()
    }

    /// The numbers of all notes.
    pub fn ids(&self) -> Vec<u32> {
        self.all().keys().copied().collect()
    }
}
