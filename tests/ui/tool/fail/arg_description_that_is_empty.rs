use mcp_runtime::prelude::*;

/// Find notes.
#[tool]
async fn find(#[arg(description = "")] most: i64) -> String {
    format!("{most:?}")
}

fn main() {}
