use mcp_runtime::prelude::*;

#[resource("note://today", cache(ttl = "5"))]
fn note() -> String {
    String::new()
}

fn main() {}
