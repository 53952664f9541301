use mcp_runtime::prelude::*;

/// Find notes.
#[tool]
async fn find(#[arg("How many at most")] most: i64) -> String {
    format!("{most:?}")
}

fn main() {}
