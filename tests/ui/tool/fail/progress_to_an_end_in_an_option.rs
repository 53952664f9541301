use mcp_runtime::prelude::*;

/// Copy files.
#[tool]
async fn copy(ctx: &Ctx, total: Option<u32>) {
    ctx.progress(1, total).await;
}

fn main() {}
