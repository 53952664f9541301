//! Serves on port 8000.

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    let stop = async {
        // Without signals it runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    in_hyper::serve(TcpListener::bind("127.0.0.1:8000").await?, stop).await
}
