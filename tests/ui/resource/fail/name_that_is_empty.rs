use mcp_runtime::prelude::*;

#[resource("note://today", name = "")]
fn note() -> String {
    String::new()
}

fn main() {}
