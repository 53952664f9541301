//! Names a library that passes on a library of handlers; and leaves out one that is not there.

use linking_relay as _;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::server!().exclude(["linking-frist"]).state(linking_first::Notes).serve_stdio().await
}
