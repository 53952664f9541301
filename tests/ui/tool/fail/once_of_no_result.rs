use mcp_runtime::prelude::*;

/// Book a room.
#[tool]
async fn book(ctx: &Ctx) -> Result<u32> {
    let id: u32 = ctx.once("reserve", async { 5 }).await?;
    Ok(id)
}

fn main() {}
