use mcp_runtime::prelude::*;

#[resource("note://today", cache(scope = "public"))]
fn note() -> String {
    String::new()
}

fn main() {}
