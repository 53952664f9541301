use mcp_runtime::prelude::*;

#[tool]
fn count(#[from_context] ctx: &Ctx) -> i64 {
    let _ = ctx;
    1
}

fn main() {}
