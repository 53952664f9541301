use mcp_runtime::prelude::*;

const PACE: &str = "ten a second";

#[tool(rate_limit = PACE)]
fn origin() -> i64 {
    0
}

fn main() {}
