//! Connections: accepted within a bound, HTTP/1.1 and HTTP/2 told apart, slow ones dropped, all of them let go at the end.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{Response, StatusCode, Version};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::answer;
use super::body::HttpBody;
use super::due::Due;
use super::patience::Patience;
use super::seldom::Seldom;
use super::service::{Entrance, Site, healthy};
use crate::handler::call;
use crate::server::endpoint::known::Known;
use crate::spawn;
use crate::transport::signal;

/// Open requests may take so long when the server is to stop.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// So long is waited for handlers to be dropped after that.
const LINGER: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(5);

/// A request's headers take no more memory than this, nor does what waits to be written.
const BUFFER: usize = 128 * 1024;

/// Serves until `ended`.
pub(crate) async fn serve(site: Arc<Site>, listener: TcpListener, ended: impl Future<Output = ()>) {
    let limit = Arc::new(Semaphore::new(site.core().options.http.max_connections));
    let (closing, close) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut ended = pin!(ended);
    loop {
        let accept = async {
            // The semaphore is never closed.
            let permit = Arc::clone(&limit).acquire_owned().await;
            (permit, listener.accept().await)
        };
        tokio::select! {
            () = &mut ended => break,
            Some(_) = connections.join_next() => {}
            (permit, accepted) = accept => match accepted {
                Ok((stream, _)) => {
                    let connection = connection(stream, Arc::clone(&site), close.clone());
                    let served = async move {
                        connection.await;
                        drop(permit);
                    };
                    spawn::join(&mut connections, Box::pin(served));
                }
                // Out of descriptors, perhaps: others will be given back.
                Err(error) => {
                    crate::diagnostics::warn(format_args!("a client could not be accepted: {error}"));
                    sleep(Duration::from_millis(50)).await;
                }
            },
        }
    }
    drop(listener);
    // Streams that wait for changes end themselves by this.
    site.core().stopping.send_replace(true);
    closing.send_replace(true);
    let in_flight = site.in_flight.clone();
    signal::see_off(LAST_WORDS + LINGER, move || in_flight.is_used() || call::any_on_threads());
    drop(timeout(LAST_WORDS, async { while connections.join_next().await.is_some() {} }).await);
    site.stop();
    connections.abort_all();
    // What has to be dropped is dropped before the last hook runs; a handler that blocks its thread is not waited for.
    let ended = async {
        while connections.join_next().await.is_some() {}
        while site.in_flight.is_used() {
            sleep(TICK).await;
        }
    };
    drop(timeout(LINGER, ended).await);
}

/// Begins the tasks of HTTP/2.
#[derive(Clone)]
struct Tasks;

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Tasks {
    fn execute(&self, future: F) {
        drop(spawn::task(&Handle::current(), Box::pin(future)));
    }
}

fn builder(read_timeout: Duration, due: &Due) -> Builder<Tasks> {
    let mut builder = Builder::new(Tasks);
    builder.http1().timer(due.clone()).header_read_timeout(read_timeout).max_buf_size(BUFFER);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(256)
        .max_header_list_size(64 * 1024)
        // As much again as a stream of ours holds, not several times as much.
        .max_send_buf_size(64 * 1024)
        .keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(20));
    builder
}

async fn connection(stream: TcpStream, site: Arc<Site>, mut close: watch::Receiver<bool>) {
    // Without it the end of a response can wait for the client's acknowledgment of its beginning: 40 ms a call, measured.
    drop(stream.set_nodelay(true));
    let read_timeout = site.core().options.http.read_timeout;
    let due = Due::after(read_timeout);
    let builder = builder(read_timeout, &due);
    let service = service_fn({
        let due = due.clone();
        move |request| {
            due.met();
            Arc::clone(&site).serve(request, Entrance::Own)
        }
    });
    let io = TokioIo::new(Patience::new(stream, 2 * read_timeout));
    let mut connection = pin!(builder.serve_connection(io, service));
    let mut missed = Seldom::new(Box::pin(due.missed(read_timeout)));
    let mut closing = Seldom::new(Box::pin(async move { drop(close.wait_for(|close| *close).await) }));
    let mut is_closing = false;
    loop {
        tokio::select! {
            // No order is fairer than another: all of them are looked at, unless the connection has ended.
            biased;
            // An error is the client's: it went away or spoke no HTTP.
            _ = connection.as_mut() => return,
            () = &mut missed => return,
            () = &mut closing, if !is_closing => {
                is_closing = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// The answer to what is not for the endpoint.
pub(super) fn elsewhere(site: &Site, parts: &Parts, headers: &Known<'_>) -> Option<Response<HttpBody>> {
    let path = parts.uri.path();
    if path == "/healthz" {
        return Some(healthy(&parts.method));
    }
    if parts.version == Version::HTTP_11 && !headers.host.is_there() {
        return Some(answer::refuse(StatusCode::BAD_REQUEST, "Bad request: `Host` is missing"));
    }
    let endpoint = &site.core().options.http.path;
    let is_here =
        path == endpoint || path.trim_end_matches('/') == endpoint.trim_end_matches('/') || site.has_route(&parts.uri);
    (!is_here).then(|| answer::refuse(StatusCode::NOT_FOUND, format!("Not found: the endpoint is at {endpoint}")))
}
