//! Depends on a library of handlers and never names it.

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::server!().serve_stdio().await
}
