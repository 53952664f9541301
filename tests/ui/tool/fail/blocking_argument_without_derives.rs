use mcp_runtime::prelude::*;

use std::rc::Rc;

struct Note(Rc<String>);

/// Count the letters.
#[tool(blocking)]
fn count(notes: Vec<Note>) -> usize {
    notes.iter().map(|note| note.0.len()).sum()
}

fn main() {}
