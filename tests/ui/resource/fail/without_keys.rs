use mcp_runtime::prelude::*;

#[resource]
fn note() -> String {
    String::new()
}

fn main() {}
