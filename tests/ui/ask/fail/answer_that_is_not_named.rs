use mcp_runtime::prelude::*;

/// Ask.
#[tool]
async fn ask(ctx: &Ctx) -> Result<String> {
    ctx.elicit("Sure?").await?;
    Ok("asked".to_owned())
}

fn main() {}
