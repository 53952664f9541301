use mcp_runtime::prelude::*;

struct Confirm;

/// Deploy.
#[tool]
async fn deploy(ctx: &Ctx) -> Result<&'static str> {
    ctx.elicit::<Confirm>("Deploy to production?").await?;
    Ok("deployed")
}

fn main() {}
