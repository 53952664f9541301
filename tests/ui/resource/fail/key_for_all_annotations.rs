use mcp_runtime::prelude::*;

#[resource("note://today", annotations(priority = 0.8))]
fn note() -> String {
    String::new()
}

fn main() {}
