use mcp_runtime::prelude::*;

#[resource("note://today", audience(users))]
fn note() -> String {
    String::new()
}

fn main() {}
