use mcp_runtime::prelude::*;

struct Notes;

/// Say whether there are notes.
#[tool]
fn any(notes: Option<State<Notes>>) -> bool {
    notes.is_some()
}

fn main() {}
