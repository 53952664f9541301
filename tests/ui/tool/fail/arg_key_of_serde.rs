use mcp_runtime::prelude::*;

/// Find notes.
#[tool]
async fn find(#[arg(deserialize_with = parse)] most: String) -> String {
    format!("{most:?}")
}

fn main() {}
