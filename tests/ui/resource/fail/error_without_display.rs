use mcp_runtime::prelude::*;

struct Broken;

#[resource("note://today")]
fn note() -> Result<String, Broken> {
    Err(Broken)
}

fn main() {}
