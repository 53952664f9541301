use mcp_runtime::prelude::*;

struct Notes;

#[tool]
fn count(notes: &Notes) -> i64 {
    let _ = notes;
    1
}

fn main() {}
