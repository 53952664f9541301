//! Names a library that passes on a library of handlers.

use linking_relay as _;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::server!().state(linking_first::Notes).serve_stdio().await
}
