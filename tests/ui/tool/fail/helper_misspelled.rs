use mcp_runtime::prelude::*;

#[tool]
fn who(#[form_context] user: String) -> String {
    user
}

fn main() {}
