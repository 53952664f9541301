use mcp_runtime::prelude::*;

/// Like `anyhow::Context`.
trait Context {}

#[tool]
fn count(ctx: &Context) -> i64 {
    let _ = ctx;
    1
}

fn main() {}
