//! Running a server over HTTP, or handing it to somebody who does.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::{TcpListener, ToSocketAddrs};

use crate::handler::error::Result;
use crate::registry::problem::BuildError;
use crate::server::{BuiltServer, Server};
use crate::transport::http::serve::serve;
use crate::transport::http::{HttpService, Site};

impl Server {
    /// Checks the server and serves it over HTTP, until a signal comes; see [`BuiltServer::serve_http`].
    ///
    /// # Errors
    ///
    /// What keeps the server from starting, what a start hook returns, and when the address cannot be bound.
    pub async fn serve_http(self, address: impl ToSocketAddrs + Send) -> Result<()> {
        self.build()?.serve_http(address).await
    }

    /// Checks the server and gives it as a service; see [`BuiltServer::http_service`].
    ///
    /// # Errors
    ///
    /// What keeps the server from starting.
    pub fn http_service(self) -> Result<HttpService, BuildError> {
        Ok(self.build()?.http_service())
    }
}

impl BuiltServer {
    /// Serves over HTTP/1.1 and HTTP/2 without TLS at `/mcp`, until a signal comes or the handle stops it.
    ///
    /// `/healthz` says whether the server is there. Who may call is limited to this machine unless
    /// [`allowed_hosts`](Server::allowed_hosts) says more.
    ///
    /// # Errors
    ///
    /// What a start hook returns, and when the address cannot be bound.
    pub async fn serve_http(self, address: impl ToSocketAddrs + Send) -> Result<()> {
        let listener = TcpListener::bind(address).await?;
        self.serve_http_on(listener).await
    }

    /// Serves over HTTP on a socket that is bound already, see [`serve_http`](Self::serve_http).
    ///
    /// # Errors
    ///
    /// What a start hook returns.
    pub async fn serve_http_on(mut self, listener: TcpListener) -> Result<()> {
        let address = listener.local_addr()?;
        self.hooks.start().await?;
        let path = &self.core.options.http.path;
        self.introduce(&format!("http://{address}{path}"));
        warn_of_random_key(&self, address);
        let mut site = Site::new(Arc::clone(&self.core));
        site.allow_address(address.ip());
        let ended = self.ended();
        serve(Arc::new(site), listener, ended).await;
        self.hooks.shut_down().await;
        Ok(())
    }

    /// The server as a [`tower_service::Service`], for axum, a tower stack or bare hyper.
    ///
    /// Start hooks run before the first request is answered. [`ServerHandle::shutdown`](crate::ServerHandle::shutdown) ends
    /// its streams; stopping to listen is the business of whoever does it.
    ///
    /// ```standalone_crate
    /// # use mcp_runtime::Server;
    /// # fn build() -> Result<(), mcp_runtime::BuildError> {
    /// let service = Server::new("mounted", "1.0.0").allow_empty().http_service()?;
    /// // let app = axum::Router::new().nest_service("/mcp", service);
    /// # drop(service);
    /// # Ok(())
    /// # }
    /// # build().unwrap();
    /// ```
    #[must_use]
    pub fn http_service(self) -> HttpService {
        HttpService::new(self.core, self.hooks)
    }
}

/// Others than this machine may come back to another instance, or after a restart, where a random key is not known.
fn warn_of_random_key(server: &BuiltServer, address: SocketAddr) {
    if server.core.sealer.is_random() && !address.ip().is_loopback() {
        crate::diagnostics::warn(format_args!(
            "sessions end with this process and are known to it alone: give a key with `MCP_STATE_KEY` or `.state_key(…)`"
        ));
    }
}
