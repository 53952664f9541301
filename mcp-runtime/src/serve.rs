//! Running a server: over standard input and output, over a Unix socket.

use std::sync::Arc;
#[cfg(unix)]
use std::time::Duration;

use crate::handler::call::BoxFuture;
use crate::handler::error::Result;
use crate::server::connection::Connection;
use crate::server::{BuiltServer, Server};
use crate::transport::stdio::{self, Standard, StdioOptions, Stuck};

impl Server {
    /// Checks the server and serves one client over standard input and output, until it is done or a signal comes.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting, and what a start hook returns.
    pub fn serve_stdio(self) -> impl Future<Output = Result<()>> + Send {
        compiled_here(async move { self.build()?.serve_stdio().await })
    }

    /// Checks the server and serves any number of clients on a Unix socket, until a signal comes.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting, what a start hook returns, and when the socket cannot be bound.
    #[cfg(unix)]
    pub async fn serve_unix(self, path: impl AsRef<std::path::Path> + Send) -> Result<()> {
        self.build()?.serve_unix(path).await
    }

    /// Checks the server and runs it as its command line says; without one, over standard input and output.
    ///
    /// # Errors
    ///
    /// What keeps the server from starting or running.
    #[cfg(not(feature = "cli"))]
    pub fn run(self) -> impl Future<Output = Result<()>> + Send {
        self.serve_stdio()
    }
}

impl BuiltServer {
    /// Runs the server as its command line says; without one, over standard input and output.
    ///
    /// # Errors
    ///
    /// What keeps the server from running.
    #[cfg(not(feature = "cli"))]
    pub fn run(self) -> impl Future<Output = Result<()>> + Send {
        self.serve_stdio()
    }

    /// Serves one client over standard input and output, until it is done or a signal comes.
    ///
    /// From here on nothing else reaches the client's stream: descriptor 0 is empty and what is printed goes to standard
    /// error (nowhere, if that is the stream itself). What was printed before is not caught. A client that does not read
    /// standard error holds nobody up; what it has no room for is lost. Out of reach is only a child that was started before
    /// this was noticed and whose standard error is a socket, as Node makes them, or a pipe on another system than Linux: it
    /// waits when it says more than a few hundred kilobytes. Give such a child a standard error of its own.
    ///
    /// # Errors
    ///
    /// What a start hook returns, and when standard input and output cannot be had.
    pub fn serve_stdio(mut self) -> impl Future<Output = Result<()>> + Send {
        compiled_here(async move {
            // Before an author's code runs again: a hook may print, too.
            let standard = Standard::take()?;
            self.hooks.start().await?;
            self.introduce("standard input and output");
            let connection = Arc::new(Connection::new(Arc::clone(&self.core)));
            standard.serve(connection, self.stdio_options(Stuck::Exit), self.ended()).await?;
            self.hooks.shut_down().await;
            stdio::dismiss().await;
            Ok(())
        })
    }

    /// Serves any number of clients on a Unix socket, each as over standard input and output, until a signal comes.
    ///
    /// A socket that an earlier run has left behind is replaced.
    ///
    /// # Errors
    ///
    /// What a start hook returns, and when the socket cannot be bound.
    #[cfg(unix)]
    pub async fn serve_unix(mut self, path: impl AsRef<std::path::Path> + Send) -> Result<()> {
        let path = path.as_ref();
        let listener = bind(path).await?;
        self.hooks.start().await?;
        self.introduce(&path.display().to_string());
        let mut clients = tokio::task::JoinSet::new();
        let ended = self.ended();
        tokio::pin!(ended);
        loop {
            tokio::select! {
                () = &mut ended => break,
                Some(_) = clients.join_next() => {}
                accepted = listener.accept() => match accepted.and_then(|(stream, _)| self.serve_stream(stream)) {
                    Ok(served) => drop(clients.spawn(served)),
                    // Out of descriptors, perhaps: others will be given back.
                    Err(error) => {
                        crate::diagnostics::warn(format_args!("a client could not be accepted: {error}"));
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
        // A handler that blocks its thread is not waited for.
        drop(tokio::time::timeout(stdio::LINGER, async { while clients.join_next().await.is_some() {} }).await);
        clients.abort_all();
        drop(std::fs::remove_file(path));
        self.hooks.shut_down().await;
        if crate::transport::signal::is_overdue(Duration::ZERO) {
            stdio::dismiss().await;
        }
        Ok(())
    }

    #[cfg(unix)]
    fn serve_stream(&self, stream: tokio::net::UnixStream) -> std::io::Result<impl Future<Output = ()> + Send + use<>> {
        let stream = stream.into_std()?;
        let pair = (stream.try_clone()?.into(), stream.into());
        let connection = Arc::new(Connection::new(Arc::clone(&self.core)));
        let (options, stopped) = (self.stdio_options(Stuck::Wait), self.ended());
        Ok(async move {
            if let Err(error) = stdio::serve_pair(connection, pair, options, stopped).await {
                crate::diagnostics::warn(format_args!("a client was lost: {error}"));
            }
        })
    }

    fn stdio_options(&self, stuck: Stuck) -> StdioOptions {
        let options = &self.core.options;
        StdioOptions { max_message: options.max_message, grace: options.shutdown_grace, stuck }
    }
}

/// Boxed, so that the future of an author's `main` does not hold the server's: that would be compiled with each program
/// again, some 30 kB of it.
fn compiled_here(future: impl Future<Output = Result<()>> + Send + 'static) -> BoxFuture<'static, Result<()>> {
    Box::pin(future)
}

/// Binds a socket, in place of one that nobody listens to any more.
#[cfg(unix)]
async fn bind(path: &std::path::Path) -> Result<tokio::net::UnixListener> {
    use std::os::unix::fs::FileTypeExt as _;
    use tokio::net::{UnixListener, UnixStream};
    match UnixListener::bind(path) {
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            let is_socket = std::fs::metadata(path).is_ok_and(|about| about.file_type().is_socket());
            if !is_socket || UnixStream::connect(path).await.is_ok() {
                return Err(error.into());
            }
            std::fs::remove_file(path)?;
            Ok(UnixListener::bind(path)?)
        }
        bound => Ok(bound?),
    }
}
