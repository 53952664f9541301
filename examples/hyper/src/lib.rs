//! An MCP server behind an accept loop of its own.

use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use mcp_runtime::prelude::*;
use tokio::net::TcpListener;

/// Count the words of a text.
#[tool(read_only)]
fn count_words(text: String) -> usize {
    text.split_whitespace().count()
}

/// Serves on a socket until `stop` resolves, and then as long as requests are open, but not for ever.
///
/// # Errors
///
/// When the server has mistakes.
pub async fn serve(listener: TcpListener, stop: impl Future<Output = ()>) -> mcp_runtime::Result<()> {
    let server = mcp_runtime::server!().build()?;
    let handle = server.handle();
    let service = TowerToHyperService::new(server.http_service());

    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(30));
    let open = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let stream = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of descriptors, perhaps: others will be given back.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let connection = builder.serve_connection(TokioIo::new(stream), service.clone()).into_owned();
        // An error is the client's: it went away, or spoke no HTTP.
        tokio::spawn(open.watch(connection));
    }
    // Streams that wait for changes end by this; connections end when their responses do.
    handle.shutdown();
    // Those that are open after ten seconds are cut off.
    _ = tokio::time::timeout(Duration::from_secs(10), open.shutdown()).await;
    Ok(())
}
