use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Deploy.
#[tool]
async fn deploy(ctx: &Ctx, id: u32) -> Result<bool> {
    Ok(ctx.elicit::<Confirm>(id).await?.sure)
}

fn main() {}
