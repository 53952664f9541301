use mcp_runtime::prelude::*;

use std::sync::Arc;

/// Count.
#[tool(blocking)]
fn count(next: Arc<dyn Fn() -> usize>) -> usize {
    next()
}

fn main() {}
