use mcp_runtime::prelude::*;

#[resource("note://today", audience())]
fn note() -> String {
    String::new()
}

fn main() {}
