use mcp_runtime::prelude::*;

struct Ctx {
    name: String,
}

#[tool]
fn who(ctx: &Ctx) -> String {
    ctx.name.clone()
}

fn main() {}
