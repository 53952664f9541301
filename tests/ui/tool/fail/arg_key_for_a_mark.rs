use mcp_runtime::prelude::*;

/// Find notes.
#[tool]
async fn find(#[arg(from_context)] most: String) -> String {
    format!("{most:?}")
}

fn main() {}
