use mcp_runtime::prelude::*;

struct Notes(Vec<String>);

#[tool]
fn count(notes: State<&Notes>) -> usize {
    notes.0.len()
}

fn main() {}
