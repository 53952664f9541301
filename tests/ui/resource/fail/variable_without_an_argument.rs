use mcp_runtime::prelude::*;

#[resource("users://{user}/{file}")]
fn note(user: String) -> String {
    String::new()
}

fn main() {}
