use mcp_runtime::prelude::*;

#[prompt(read_only)]
fn review(code: String) -> String {
    code
}

fn main() {}
