//! Running a server over HTTP, or handing it to somebody who does.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::{TcpListener, ToSocketAddrs, lookup_host};

use crate::handler::call::BoxFuture;
use crate::handler::error::{Error, Result};
use crate::registry::problem::BuildError;
use crate::server::{BuiltServer, Server};
use crate::spawn::compiled_here;
use crate::transport::http::serve::serve;
use crate::transport::http::{HttpService, Site};

/// Where to serve over HTTP: a host and a port, as everything that has tokio's [`ToSocketAddrs`] says it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no address to serve at",
    label = "is no host with a port",
    note = "write `\"127.0.0.1:8080\"` or `([127, 0, 0, 1], 8080)`"
)]
pub trait HttpAddress {
    #[doc(hidden)]
    fn addresses<'a>(self) -> Addresses<'a>
    where
        Self: 'a;
}

/// Addresses that are looked up.
type Addresses<'a> = BoxFuture<'a, std::io::Result<Vec<SocketAddr>>>;

#[diagnostic::do_not_recommend]
impl<T: ToSocketAddrs + Send> HttpAddress for T {
    fn addresses<'a>(self) -> Addresses<'a>
    where
        T: 'a,
    {
        Box::pin(async move { Ok(lookup_host(self).await?.collect()) })
    }
}

impl Server {
    /// Checks the server and serves it over HTTP, until a signal comes; see [`BuiltServer::serve_http`].
    ///
    /// # Errors
    ///
    /// What keeps the server from starting, what a start hook returns, and when the address cannot be bound.
    // No `async fn`: what is no address would be missed where it is awaited, too.
    pub fn serve_http<'a>(self, address: impl HttpAddress + 'a) -> BoxFuture<'a, Result<()>> {
        self.serve_http_at(address.addresses())
    }

    fn serve_http_at(self, addresses: Addresses<'_>) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move { self.build()?.serve_http_at(addresses).await })
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
    pub fn serve_http<'a>(self, address: impl HttpAddress + 'a) -> BoxFuture<'a, Result<()>> {
        self.serve_http_at(address.addresses())
    }

    fn serve_http_at(self, addresses: Addresses<'_>) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            let listener = bind(addresses).await?;
            self.serve_http_on(listener).await
        })
    }

    /// Serves over HTTP on a socket that is bound already, see [`serve_http`](Self::serve_http).
    ///
    /// # Errors
    ///
    /// What a start hook returns.
    pub fn serve_http_on(mut self, listener: TcpListener) -> impl Future<Output = Result<()>> + Send {
        compiled_here(async move {
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
        })
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

/// Binds the first of the addresses that can be had. An error of the system does not say which was wanted.
async fn bind(addresses: Addresses<'_>) -> Result<TcpListener> {
    let wanted = |error| Error::msg(format_args!("the server's address cannot be found: {error}"));
    let addresses = addresses.await.map_err(wanted)?;
    TcpListener::bind(&*addresses).await.map_err(|error| {
        let names: Vec<String> = addresses.iter().map(ToString::to_string).collect();
        Error::msg(format_args!("cannot listen on {}: {error}", names.join(", ")))
    })
}

/// Others than this machine may come back to another instance, or after a restart, where a random key is not known.
fn warn_of_random_key(server: &BuiltServer, address: SocketAddr) {
    if server.core.sealer.is_random() && !address.ip().is_loopback() {
        crate::diagnostics::warn(format_args!(
            "sessions end with this process and are known to it alone: give a key with `MCP_STATE_KEY` or `.state_key(…)`"
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::Server;

    #[tokio::test]
    async fn an_address_that_cannot_be_had_is_named() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let serve = |address: String| async move {
            Server::new("tests", "1").allow_empty().serve_http(address).await.unwrap_err().to_string()
        };
        let error = serve(address.to_string()).await;
        assert!(error.starts_with(&format!("cannot listen on {address}: ")), "{error}");
        let error = serve("127.0.0.1".into()).await;
        assert!(error.starts_with("the server's address cannot be found: "), "{error}");
    }
}
