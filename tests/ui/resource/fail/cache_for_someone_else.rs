use mcp_runtime::prelude::*;

#[resource("note://today", cache(ttl = "5m", scope = "team"))]
fn note() -> String {
    String::new()
}

fn main() {}
