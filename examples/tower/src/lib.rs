//! An MCP server inside of layers from tower and tower-http.

use std::time::Duration;

use http::StatusCode;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use mcp_runtime::prelude::*;
use tokio::net::TcpListener;
use tower::ServiceBuilder;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

/// Count the words of a text.
#[tool(read_only)]
fn count_words(text: String) -> usize {
    text.split_whitespace().count()
}

/// Never come to an end.
#[tool]
async fn dawdle() {
    std::future::pending().await
}

/// Serves on a socket until `stop` resolves.
///
/// # Errors
///
/// When the server has mistakes.
pub async fn serve(
    listener: TcpListener,
    patience: Duration,
    stop: impl Future<Output = ()>,
) -> mcp_runtime::Result<()> {
    let server = mcp_runtime::server!().build()?;
    let handle = server.handle();
    let stack = ServiceBuilder::new()
        .layer(TraceLayer::new_for_http())
        .layer(GlobalConcurrencyLimitLayer::new(64))
        // Until a response begins: streams may last for longer.
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, patience))
        .layer(RequestBodyLimitLayer::new(64 * 1024))
        .service(server.http_service());
    let service = TowerToHyperService::new(stack);

    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new());
    let open = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => {
                let (stream, _) = accepted?;
                let connection = builder.serve_connection(TokioIo::new(stream), service.clone());
                // An error is the client's: it went away, or spoke no HTTP.
                tokio::spawn(open.watch(connection));
            }
        }
    }
    // Streams that wait for changes end by this; connections end when their responses do.
    handle.shutdown();
    _ = tokio::time::timeout(Duration::from_secs(10), open.shutdown()).await;
    Ok(())
}
