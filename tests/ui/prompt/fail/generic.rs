use mcp_runtime::prelude::*;

#[prompt]
fn review<T>(code: String) -> String {
    code
}

fn main() {}
