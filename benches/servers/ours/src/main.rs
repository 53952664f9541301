//! The measured server, in mcp-runtime.

use mcp_runtime::prelude::*;

include!(concat!(env!("OUT_DIR"), "/tools.rs"));

/// Add two numbers.
#[tool]
async fn add(
    /// First addend
    a: i64,
    /// Second addend
    b: i64,
) -> i64 {
    a + b
}

/// Say it again.
#[tool]
async fn echo(
    /// What to say
    text: String,
) -> String {
    text
}

/// Counts to a number, and reports each step.
#[resource("count://{to}")]
async fn count(ctx: &Ctx, to: u32) -> String {
    for step in 1..=to {
        ctx.progress(step, to).await;
    }
    format!("counted to {to}")
}

/// Ask for a careful review of some code.
#[prompt]
fn review(
    /// The code to review
    code: String,
) -> String {
    format!("Review this code:\n\n{code}")
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let server = mcp_runtime::server!();
    match std::env::args().nth(1) {
        #[cfg(feature = "http")]
        Some(addr) => server.serve_http(addr.as_str()).await,
        _ => server.serve_stdio().await,
    }
}
