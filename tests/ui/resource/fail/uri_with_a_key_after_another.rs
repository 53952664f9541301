use mcp_runtime::prelude::*;

#[resource(mime = "text/plain", uri = "note://today")]
fn note() -> String {
    String::new()
}

fn main() {}
