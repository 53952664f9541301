use mcp_runtime::prelude::*;

/// Review some code.
#[prompt]
fn review(code: String) -> T {
    code.into()
}

fn main() {}
