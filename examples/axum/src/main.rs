//! Serves the to-do lists on port 8000.

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let (app, mcp) = in_axum::app()?;
    let listener = TcpListener::bind("127.0.0.1:8000").await?;
    let stop = async move {
        // Without signals it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        mcp.shutdown();
    };
    Ok(axum::serve(listener, app).with_graceful_shutdown(stop).await?)
}
