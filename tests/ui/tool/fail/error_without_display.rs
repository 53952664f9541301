use mcp_runtime::prelude::*;

struct Broken;

#[tool]
fn origin() -> Result<String, Broken> {
    Err(Broken)
}

fn main() {}
