use mcp_runtime::prelude::*;

#[resource("users://{user}/{file}")]
fn note(user: String) -> String {
    format!("{user:?}")
}

fn main() {}
