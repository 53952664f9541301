use mcp_runtime::prelude::*;

#[resource("notes://all{?id}{#part}")]
fn note(id: Option<u64>, part: Option<String>) -> String {
    format!("Note {id:?} {part:?}")
}

fn main() {}
