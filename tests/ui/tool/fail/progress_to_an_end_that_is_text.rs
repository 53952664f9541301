use mcp_runtime::prelude::*;

/// Copy files.
#[tool]
async fn copy(ctx: &Ctx) {
    ctx.progress_message(1, "2", "one of two").await;
}

fn main() {}
