use mcp_runtime::prelude::*;

/// Find notes.
#[tool]
async fn find(#[arg(default == 5)] most: i64) -> String {
    format!("{most:?}")
}

fn main() {}
