use mcp_runtime::Ctx;
use mcp_runtime::prelude::*;

/// Add two numbers.
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Add texts.
#[tool]
async fn add(ctx: &Ctx, texts: Vec<String>) -> Result<String> {
    ctx.progress(1, 1).await;
    Ok(texts.concat())
}

fn main() {}
