use mcp_runtime::prelude::*;

/// Copy files.
#[tool]
async fn copy(ctx: &Ctx) {
    ctx.progress(1).await;
}

fn main() {}
