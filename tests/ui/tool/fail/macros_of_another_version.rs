use macros_of_another_version::tool;
use mcp_runtime::prelude::*;

#[tool]
fn add(ctx: &Ctx, a: i64, b: Option<i64>) -> i64 {
    let _ = ctx;
    a + b.unwrap_or_default()
}

fn main() {}
