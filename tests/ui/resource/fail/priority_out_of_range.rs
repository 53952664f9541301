use mcp_runtime::prelude::*;

#[resource("note://today", priority = 2.0)]
fn note() -> String {
    String::new()
}

fn main() {}
