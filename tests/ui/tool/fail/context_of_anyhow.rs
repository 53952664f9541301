use anyhow::Context;
use mcp_runtime::prelude::*;

#[tool]
async fn count(ctx: &Context, path: String) -> anyhow::Result<u64> {
    let text = std::fs::read_to_string(&path).context("no such file")?;
    ctx.progress(1, 2).await;
    Ok(text.len() as u64)
}

fn main() {}
