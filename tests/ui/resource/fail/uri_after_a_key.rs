use mcp_runtime::prelude::*;

#[resource(mime = "text/plain", "note://today")]
fn note() -> String {
    String::new()
}

fn main() {}
