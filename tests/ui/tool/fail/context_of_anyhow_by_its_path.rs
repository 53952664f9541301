use mcp_runtime::prelude::*;

#[tool]
fn count(ctx: &anyhow::Context) -> i64 {
    let _ = ctx.deadline();
    1
}

fn main() {}
