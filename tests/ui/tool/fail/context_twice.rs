use mcp_runtime::prelude::*;

#[tool]
fn count(one: &Ctx, two: &Ctx) -> i64 {
    let _ = (one, two);
    1
}

fn main() {}
