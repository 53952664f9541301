use mcp_runtime::prelude::*;

#[tool]
fn origin() -> impl ToString {
    5
}

fn main() {}
