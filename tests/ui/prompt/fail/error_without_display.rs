use mcp_runtime::prelude::*;

struct Broken;

#[prompt]
fn review() -> Result<String, Broken> {
    Err(Broken)
}

fn main() {}
