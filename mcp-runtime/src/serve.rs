//! Running a server: over standard input and output, over a Unix socket.

use std::sync::Arc;
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use crate::handler::call::BoxFuture;
#[cfg(unix)]
use crate::handler::error::Error;
use crate::handler::error::Result;
use crate::server::connection::Connection;
use crate::server::{BuiltServer, Server};
use crate::spawn::compiled_here;
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
    // No `async fn`: what is no path would be missed where it is awaited, too.
    pub fn serve_unix(self, path: impl AsRef<std::path::Path>) -> BoxFuture<'static, Result<()>> {
        self.serve_clients(path.as_ref().to_owned())
    }

    #[cfg(unix)]
    fn serve_clients(self, path: std::path::PathBuf) -> BoxFuture<'static, Result<()>> {
        Box::pin(async move { self.build()?.serve_clients(path).await })
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
    pub fn serve_unix(self, path: impl AsRef<std::path::Path>) -> BoxFuture<'static, Result<()>> {
        self.serve_clients(path.as_ref().to_owned())
    }

    #[cfg(unix)]
    fn serve_clients(mut self, path: std::path::PathBuf) -> BoxFuture<'static, Result<()>> {
        compiled_here(async move {
            let listener = bind(&path)
                .await
                .map_err(|error| Error::msg(format_args!("cannot listen on {}: {error}", path.display())))?;
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
                        Ok(served) => crate::spawn::join(&mut clients, Box::pin(served)),
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
            drop(std::fs::remove_file(&path));
            self.hooks.shut_down().await;
            if crate::transport::signal::is_overdue(Duration::ZERO) {
                stdio::dismiss().await;
            }
            Ok(())
        })
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

/// Binds a socket, in place of one that nobody listens to any more.
#[cfg(unix)]
async fn bind(path: &std::path::Path) -> std::io::Result<tokio::net::UnixListener> {
    use std::io::{Error, ErrorKind};
    use std::os::unix::fs::FileTypeExt as _;

    use tokio::net::{UnixListener, UnixStream};
    match UnixListener::bind(path) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            if !std::fs::metadata(path).is_ok_and(|about| about.file_type().is_socket()) {
                return Err(Error::new(ErrorKind::AlreadyExists, "there is something that is no socket"));
            }
            if UnixStream::connect(path).await.is_ok() {
                return Err(error);
            }
            std::fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        bound => bound,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use crate::Server;

    #[test]
    fn what_an_author_awaits_is_a_box_whose_content_is_compiled_once() {
        let built = || Server::new("tests", "1").allow_empty().build().unwrap();
        let boxed = size_of::<Box<dyn Future<Output = ()>>>();
        assert_eq!(size_of_val(&built().serve_stdio()), boxed);
        assert_eq!(size_of_val(&built().serve_clients("socket".into())), boxed);
        #[cfg(feature = "http")]
        {
            let listen = |listener| size_of_val(&built().serve_http_on(listener));
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
            assert_eq!(listen(listener), boxed);
        }
    }

    #[tokio::test]
    async fn a_path_that_cannot_be_had_is_named_and_what_is_there_stays() {
        let directory = std::env::temp_dir().join(format!("mcp-serve-unix-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let (file, live) = (directory.join("file"), directory.join("live"));
        std::fs::write(&file, "precious").unwrap();
        let listener = tokio::net::UnixListener::bind(&live).unwrap();
        for (path, why) in
            [(&file, "there is something that is no socket"), (&live, "in use"), (&directory.join("no/x"), "")]
        {
            let error = Server::new("tests", "1").allow_empty().serve_unix(path).await.unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot listen on {}: ", path.display())), "{error}");
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(std::fs::read(&file).unwrap(), b"precious");
        drop(listener);
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
