//! A server that asks its client, for tests over real pipes.

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Confirm something, then something else.
#[tool]
async fn confirm_twice(ctx: &Ctx, what: String) -> Result<String> {
    let first: Confirm = ctx.elicit(format!("{what}?")).await?;
    let second: Confirm = ctx.elicit(format!("Really {what}?")).await?;
    Ok(format!("{what}: {} {}", first.sure, second.sure))
}

/// Confirm something, without async.
#[tool]
fn confirm_first(what: String, #[ask("{what}?")] confirm: Confirm) -> String {
    format!("{what}: {}", confirm.sure)
}

/// Fields in no order but the source's.
#[derive(Elicit)]
struct Fruit {
    zucchini: String,
    apple: String,
    mango: String,
}

/// Ask for several things in a form.
#[tool]
async fn fill_in(ctx: &Ctx) -> Result<String> {
    let fruit: Fruit = ctx.elicit("Which?").await?;
    Ok(format!("{} {} {}", fruit.zucchini, fruit.apple, fruit.mango))
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    Server::new("asker", "1.0.0").serve_stdio().await
}
