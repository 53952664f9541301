use mcp_runtime::prelude::*;

/// Find notes.
#[tool]
async fn find(#[arg(long)] most: String) -> String {
    format!("{most:?}")
}

fn main() {}
