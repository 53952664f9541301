use mcp_runtime::prelude::*;

#[prompt(arguments = ["code"])]
fn review(code: String) -> String {
    code
}

fn main() {}
