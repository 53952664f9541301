use mcp_runtime::prelude::*;

struct User(String);

#[tool]
fn greet(#[from_context] user: &User) -> String {
    user.0.clone()
}

fn main() {}
