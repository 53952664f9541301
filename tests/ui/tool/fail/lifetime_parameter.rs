use mcp_runtime::prelude::*;

#[tool]
fn echo<'a>(ctx: &'a Ctx, message: String) -> String {
    let _ = ctx;
    message
}

fn main() {}
