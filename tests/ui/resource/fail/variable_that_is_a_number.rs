use mcp_runtime::prelude::*;

#[resource("notes://{0}")]
fn note(ctx: &Ctx) -> String {
    ctx.deadline().map(|_| "soon".to_owned()).unwrap_or_default()
}

fn main() {}
