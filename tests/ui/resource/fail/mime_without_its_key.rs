use mcp_runtime::prelude::*;

#[resource("note://today", "text/plain")]
fn note() -> String {
    String::new()
}

fn main() {}
