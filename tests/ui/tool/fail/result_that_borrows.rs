use mcp_runtime::prelude::*;

#[tool]
fn name(ctx: &Ctx) -> &str {
    let _ = ctx;
    "name"
}

fn main() {}
