use mcp_runtime::prelude::*;

#[prompt]
fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {}
