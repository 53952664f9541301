use mcp_runtime::prelude::*;

#[tool]
fn who(#[from_context] #[arg(title = "User")] user: String) -> String {
    user
}

fn main() {}
