use mcp_runtime::prelude::*;

#[prompt]
fn review(#[arg(header = "Code")] code: String) -> String {
    code
}

fn main() {}
