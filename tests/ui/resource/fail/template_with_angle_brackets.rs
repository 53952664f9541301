use mcp_runtime::prelude::*;

/// One note.
#[resource("note://<id>")]
async fn note(id: String) -> String {
    id
}

fn main() {}
