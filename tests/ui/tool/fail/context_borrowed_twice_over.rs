use mcp_runtime::prelude::*;

#[tool]
fn say(ctx: &&Ctx) -> String {
    ctx.deadline().map(|_| "soon".to_owned()).unwrap_or_default()
}

fn main() {}
