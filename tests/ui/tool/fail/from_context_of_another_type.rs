use mcp_runtime::prelude::*;

struct User(String);

#[tool]
fn who(#[from_context] user: User) -> String {
    user.0
}

fn main() {}
