use mcp_runtime::prelude::*;
use std::marker::PhantomData;
use std::rc::Rc;

#[mcp_runtime::data]
struct Note {
    text: String,
    #[serde(skip)]
    shared: PhantomData<Rc<u32>>,
}

/// Keep a note.
#[tool(blocking)]
fn keep(note: Note) -> String {
    note.text
}

fn main() {}
