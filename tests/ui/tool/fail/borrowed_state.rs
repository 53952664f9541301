use mcp_runtime::prelude::*;

struct Notes;

#[tool]
fn count(notes: &State<Notes>) -> i64 {
    let _ = notes;
    1
}

fn main() {}
