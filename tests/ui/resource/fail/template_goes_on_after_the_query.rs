use mcp_runtime::prelude::*;

#[resource("note://x{?id}/end")]
fn note(id: Option<String>) -> String {
    format!("{id:?}")
}

fn main() {}
