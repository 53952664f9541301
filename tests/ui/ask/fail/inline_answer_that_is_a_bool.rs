#![allow(unused)]

use mcp_runtime::prelude::*;

/// Delete a note.
#[tool]
async fn delete(ctx: &Ctx) -> Result<String> {
    let sure = ctx.elicit::<bool>("Really?").await?;
    Ok(sure.to_string())
}

fn main() {}
