use mcp_runtime::prelude::*;

fn all() -> Vec<String> {
    Vec::new()
}

#[resource("note://today", list = all)]
fn note() -> String {
    String::new()
}

fn main() {}
