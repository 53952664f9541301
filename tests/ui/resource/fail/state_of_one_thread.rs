use mcp_runtime::prelude::*;

use std::cell::RefCell;

struct Notes {
    all: RefCell<Vec<String>>,
}

/// All notes.
#[resource("notes://all")]
fn notes(notes: State<Notes>) -> String {
    notes.all.borrow().join("\n")
}

fn main() {}
