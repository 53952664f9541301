use mcp_runtime::prelude::*;

use std::cell::RefCell;

struct Notes {
    all: RefCell<Vec<String>>,
}

#[tool]
async fn add(notes: State<Notes>, note: String) -> usize {
    notes.all.borrow_mut().push(note);
    notes.all.borrow().len()
}

fn main() {}
