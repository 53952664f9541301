use mcp_runtime::prelude::*;

struct Note;

async fn all(_: &Ctx) -> Vec<Note> {
    Vec::new()
}

#[resource("note://{id}", list = all)]
fn note(id: String) -> String {
    id
}

fn main() {}
