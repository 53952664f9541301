use mcp_runtime::prelude::*;

#[resource("note://today", audience = "user")]
fn note() -> String {
    String::new()
}

fn main() {}
