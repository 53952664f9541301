use mcp_runtime::Json as J;
use mcp_runtime::prelude::*;

/// Find a number.
#[tool]
fn find() -> Option<J<i64>> {
    None
}

fn main() {}
