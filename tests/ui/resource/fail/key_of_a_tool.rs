use mcp_runtime::prelude::*;

#[resource("note://today", read_only)]
fn note() -> String {
    String::new()
}

fn main() {}
