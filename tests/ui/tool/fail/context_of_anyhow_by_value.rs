use mcp_runtime::prelude::*;

#[tool]
fn count(ctx: anyhow::Context, path: String) -> anyhow::Result<usize> {
    let _ = ctx;
    Ok(std::fs::read(&path)?.len())
}

fn main() {}
