use mcp_runtime::prelude::*;

#[resource("note://today", size = "5 kB")]
fn note() -> String {
    String::new()
}

fn main() {}
