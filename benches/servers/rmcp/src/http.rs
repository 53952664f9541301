//! Streamable HTTP as rmcp's documentation serves it, or tuned.

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::Server;

/// The documented server keeps sessions and answers with event streams.
#[cfg(not(feature = "tuned"))]
pub async fn serve(addr: &str) -> std::io::Result<()> {
    let service = StreamableHttpService::new(
        || Ok(Server::new()),
        LocalSessionManager::default().into(),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind(addr).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await
}

/// The tuned one answers with JSON and keeps no sessions; `session` has it keep them and stream.
#[cfg(feature = "tuned")]
pub async fn serve(addr: &str) -> std::io::Result<()> {
    use axum::serve::ListenerExt as _;
    let server = Server::new();
    let has_sessions = std::env::args().nth(2).is_some_and(|mode| mode == "session");
    let config =
        StreamableHttpServerConfig::default().with_legacy_session_mode(has_sessions).with_json_response(!has_sessions);
    let service = StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);
    let listener = tokio::net::TcpListener::bind(addr).await?.tap_io(|stream| _ = stream.set_nodelay(true));
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await
}
