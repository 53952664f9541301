use mcp_runtime::prelude::*;

const PACE: &str = "0/s";

#[tool(rate_limit = PACE)]
fn origin() -> i64 {
    0
}

fn main() {}
