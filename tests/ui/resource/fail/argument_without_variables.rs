use mcp_runtime::prelude::*;

#[resource("users://all")]
fn note(file: String) -> String {
    format!("{file:?}")
}

fn main() {}
