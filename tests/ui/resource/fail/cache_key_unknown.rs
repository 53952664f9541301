use mcp_runtime::prelude::*;

#[resource("note://today", cache(time = "5m"))]
fn note() -> String {
    String::new()
}

fn main() {}
