use mcp_runtime::prelude::*;

#[tool]
#[prompt]
fn add(a: i64, b: i64) -> String {
    (a + b).to_string()
}

fn main() {}
