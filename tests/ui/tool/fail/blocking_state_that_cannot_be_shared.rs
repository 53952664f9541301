use mcp_runtime::prelude::*;
use std::cell::RefCell;

/// Count the notes.
#[tool(blocking)]
fn count(notes: State<RefCell<Vec<String>>>) -> usize {
    notes.borrow().len()
}

fn main() {}
