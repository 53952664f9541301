use mcp_runtime::prelude::*;

#[tool]
fn shout(ctx: &Ctx, text: &str) -> String {
    let _ = ctx;
    text.to_uppercase()
}

fn main() {}
