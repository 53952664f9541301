#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::server!().run_with(5).await
}
