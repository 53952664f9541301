use mcp_runtime::prelude::*;

#[prompt(blocking)]
async fn review(code: String) -> String {
    code
}

fn main() {}
