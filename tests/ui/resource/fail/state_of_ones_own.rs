use mcp_runtime::prelude::*;

struct State<T>(T);

/// All notes.
#[resource("notes://all")]
fn notes(notes: State<String>) -> String {
    notes.0
}

fn main() {}
