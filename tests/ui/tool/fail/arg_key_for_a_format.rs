use mcp_runtime::prelude::*;

/// Find notes.
#[tool]
async fn find(#[arg(format = "email")] most: String) -> String {
    format!("{most:?}")
}

fn main() {}
