use mcp_runtime::prelude::*;

#[prompt(titel = "Review")]
fn review(code: String) -> String {
    code
}

fn main() {}
