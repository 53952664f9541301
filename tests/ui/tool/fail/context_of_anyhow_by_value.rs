use anyhow::Context;
use mcp_runtime::prelude::*;

#[tool]
fn count(ctx: Context, path: String) -> anyhow::Result<usize> {
    let _ = ctx;
    Ok(std::fs::read(&path).with_context(|| format!("{path} is not there"))?.len())
}

fn main() {}
