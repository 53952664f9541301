use mcp_runtime::prelude::*;

/// Nothing but its name tells that it is not `Ctx` under another one.
trait Context {}

#[tool]
fn count(ctx: &Context) -> i64 {
    let _ = ctx;
    1
}

fn main() {}
