use mcp_runtime::prelude::*;

/// Say hello.
#[tool]
fn hello(ctx: Option<&Ctx>) -> bool {
    ctx.is_some()
}

fn main() {}
