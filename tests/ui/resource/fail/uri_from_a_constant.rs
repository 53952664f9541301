use mcp_runtime::prelude::*;

const NOTE: &str = "note://today";

#[resource(NOTE)]
fn note() -> String {
    String::new()
}

fn main() {}
