use mcp_runtime::prelude::*;

#[tool]
fn count(ctx: &mut Ctx) -> i64 {
    let _ = ctx;
    1
}

fn main() {}
