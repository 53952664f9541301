use mcp_runtime::prelude::*;

#[resource("note://today", mime = "markdown")]
fn note() -> String {
    String::new()
}

fn main() {}
