use mcp_runtime::prelude::*;

#[resource("users://{user}")]
fn profile(#[from_context] user: String) -> String {
    user
}

fn main() {}
