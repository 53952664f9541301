use mcp_runtime::prelude::*;

#[resource(mime = "text/plain")]
fn note() -> String {
    String::new()
}

fn main() {}
