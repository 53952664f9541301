use mcp_runtime::prelude::*;

#[resource(uri = "note://today")]
fn note() -> String {
    String::new()
}

fn main() {}
