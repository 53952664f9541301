use mcp_runtime::prelude::*;

#[tool]
fn count(#[arg(title = "Context")] ctx: &Ctx) -> i64 {
    let _ = ctx;
    1
}

fn main() {}
