use mcp_runtime::prelude::*;
use std::time::Duration;

#[tool(timeout = Duration::from_secs(30))]
fn wait(seconds: u64) -> u64 {
    seconds
}

fn main() {}
