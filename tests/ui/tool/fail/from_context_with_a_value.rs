use mcp_runtime::prelude::*;

#[tool]
fn who(#[from_context(user)] user: String) -> String {
    user
}

fn main() {}
