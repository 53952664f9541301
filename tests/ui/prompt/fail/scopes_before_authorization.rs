use mcp_runtime::prelude::*;

#[prompt(scopes("review"))]
fn review(code: String) -> String {
    code
}

fn main() {}
