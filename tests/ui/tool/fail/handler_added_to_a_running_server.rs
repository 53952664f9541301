use mcp_runtime::prelude::*;

#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tool]
fn learn(ctx: &Ctx) -> Result<()> {
    ctx.server().tools().add(add)?;
    Ok(())
}

fn main() {}
