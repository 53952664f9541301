use mcp_runtime::prelude::*;

#[resource("note://today", priority = "high")]
fn note() -> String {
    String::new()
}

fn main() {}
