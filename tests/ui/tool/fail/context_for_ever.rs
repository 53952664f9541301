use mcp_runtime::prelude::*;

#[tool]
fn count(ctx: &'static Ctx) -> i64 {
    let _ = ctx;
    1
}

fn main() {}
