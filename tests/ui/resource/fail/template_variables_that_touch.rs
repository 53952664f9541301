use mcp_runtime::prelude::*;

#[resource("note://{a}{b}")]
fn note(a: String, b: String) -> String {
    format!("{a:?} {b:?}")
}

fn main() {}
