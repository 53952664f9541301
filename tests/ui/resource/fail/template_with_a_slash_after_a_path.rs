use mcp_runtime::prelude::*;

#[resource("note://notes{/folder}/{name}")]
fn note(folder: Option<String>, name: String) -> String {
    format!("{folder:?} {name}")
}

fn main() {}
