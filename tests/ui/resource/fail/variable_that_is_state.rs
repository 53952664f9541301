#![allow(unused)]

use mcp_runtime::prelude::*;

/// A note.
#[resource("note://{notes}")]
fn note(notes: State<Vec<String>>) -> String {
    String::new()
}

fn main() {}
