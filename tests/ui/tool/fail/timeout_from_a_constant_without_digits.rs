use mcp_runtime::prelude::*;

const PATIENCE: &str = "half a minute";

#[tool(timeout = PATIENCE)]
fn origin() -> i64 {
    0
}

fn main() {}
