use mcp_runtime::prelude::*;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    server!("notes").run().await
}
