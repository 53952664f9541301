use mcp_runtime::prelude::*;

#[resource("users://all")]
fn note(file: String) -> String {
    String::new()
}

fn main() {}
