//! Serves on port 8000, and says on standard error what it does.

use std::time::Duration;

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
        .init();
    let stop = async {
        // Without signals it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    in_tower::serve(TcpListener::bind("127.0.0.1:8000").await?, Duration::from_secs(60), stop).await
}
