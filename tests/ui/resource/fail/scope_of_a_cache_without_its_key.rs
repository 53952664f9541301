use mcp_runtime::prelude::*;

#[resource("note://today", cache(ttl = "5m", public))]
fn note() -> String {
    String::new()
}

fn main() {}
