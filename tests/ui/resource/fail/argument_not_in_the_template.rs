use mcp_runtime::prelude::*;

#[resource("users://{user}")]
fn note(user: String, file: String) -> String {
    format!("{user:?} {file:?}")
}

fn main() {}
