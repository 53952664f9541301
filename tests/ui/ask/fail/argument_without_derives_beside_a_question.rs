use mcp_runtime::prelude::*;

use std::cell::Cell;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

struct Note(Cell<u32>);

/// Delete a note.
#[tool]
fn delete(note: Note, #[ask("Really?")] confirm: Confirm) -> bool {
    confirm.sure && note.0.get() > 0
}

fn main() {}
