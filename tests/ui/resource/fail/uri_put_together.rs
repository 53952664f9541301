use mcp_runtime::prelude::*;

#[resource(concat!("note://", "today"), mime = "text/plain")]
fn note() -> String {
    String::new()
}

fn main() {}
