use mcp_runtime::prelude::*;

#[prompt(name = "")]
fn review(code: String) -> String {
    code
}

fn main() {}
