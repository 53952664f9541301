//! HTTP+SSE, the transport of 2024-11-05: a stream at one route, messages at another. The stream is the session.
//!
//! See <https://modelcontextprotocol.io/specification/2024-11-05/basic/transports>.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{Response, StatusCode, Uri};
use tokio::time::{Instant, Sleep, sleep};

use super::answer;
use super::body::HttpBody;
use super::caller::Caller;
use super::limits::Permit;
use super::service::Site;
use super::work::Unknown;
use crate::handler::http::principal;
use crate::server::connection::{Connection, Start};

/// The routes, and the streams that are open.
pub(super) struct TwoRoutes {
    paths: Option<(String, String)>,
    open: Arc<Open>,
}

/// By their names: each with the one who may write to it.
type Open = Mutex<HashMap<String, Owned>>;

#[derive(Clone)]
struct Owned {
    connection: Arc<Connection>,
    principal: Option<Box<str>>,
}

impl fmt::Debug for TwoRoutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TwoRoutes").field("paths", &self.paths).finish_non_exhaustive()
    }
}

fn lock(open: &Open) -> MutexGuard<'_, HashMap<String, Owned>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TwoRoutes {
    pub(super) fn new(paths: Option<(String, String)>) -> Self {
        Self { paths, open: Arc::default() }
    }

    pub(super) fn opens_streams(&self, uri: &Uri) -> bool {
        self.paths.as_ref().is_some_and(|(stream, _)| stream == uri.path())
    }

    pub(super) fn takes_messages(&self, uri: &Uri) -> bool {
        self.paths.as_ref().is_some_and(|(_, messages)| messages == uri.path())
    }
}

/// The parameter that names the stream.
const PARAMETER: &str = "sessionId=";

impl Site {
    /// Opens a stream: a peer like one on standard input.
    pub(super) fn open_lines(&self, parts: &Parts) -> Response<HttpBody> {
        let (Some(permit), Some((_, messages)), Ok(key)) = (self.streams.enter(), &self.two_routes.paths, random())
        else {
            return answer::busy("As many streams are open as may be: try again later");
        };
        let connection = Arc::new(Connection::new(Arc::clone(&self.core)));
        let first = format!("event: endpoint\ndata: {messages}?{PARAMETER}{key}\n\n");
        let principal = principal(&parts.extensions).map(Box::from);
        lock(&self.two_routes.open).insert(key.clone(), Owned { connection: Arc::clone(&connection), principal });
        answer::lines(Lines {
            connection,
            key,
            open: Arc::clone(&self.two_routes.open),
            first: Some(first.into()),
            taken: Vec::new(),
            stopped: Some(Box::pin(self.core.stopped())),
            keep_alive: self.core.options.http.keep_alive,
            timer: None,
            _permit: permit,
        })
    }

    /// Hands a message to the stream it belongs to, on which it is answered.
    pub(super) fn take_message(&self, parts: Parts, message: &[u8], room: Permit) -> Response<HttpBody> {
        let key = parts.uri.query().unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix(PARAMETER));
        let Some(key) = key else {
            return answer::refuse(
                StatusCode::BAD_REQUEST,
                "Bad request: `sessionId` is missing; the stream's first event holds the whole path",
            );
        };
        let found = lock(&self.two_routes.open).get(key).cloned();
        let own = found.filter(|found| found.principal.as_deref() == principal(&parts.extensions));
        let Some(Owned { connection, .. }) = own else {
            return answer::refuse(StatusCode::NOT_FOUND, "Not found: there is no such stream any more");
        };
        if connection.outbox().is_congested() {
            return answer::busy("The stream is not read: read it first");
        }
        let Some(permit) = self.in_flight.enter() else { return answer::overworked() };
        let caller = Caller::outlet(connection.outbox(), parts);
        if let Some(work) = connection.receive_through(&caller, message, Start::Later) {
            self.spawn(Box::pin(async move {
                Unknown::new(work).await;
                drop((permit, room));
            }));
        }
        answer::empty(StatusCode::ACCEPTED)
    }
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    let mut text = String::with_capacity(32);
    for byte in bytes {
        // Writing to a string does not fail.
        _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// The body of a stream: what the peer's outbox holds, as events.
pub(super) struct Lines {
    connection: Arc<Connection>,
    key: String,
    open: Arc<Open>,
    first: Option<Bytes>,
    taken: Vec<u8>,
    stopped: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    keep_alive: Duration,
    timer: Option<Pin<Box<Sleep>>>,
    _permit: Permit,
}

impl Lines {
    pub(super) fn poll_bytes(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        if self.stopped.as_mut().is_some_and(|stopped| stopped.as_mut().poll(context).is_ready()) {
            self.stopped = None;
            self.connection.finish();
        }
        if let Some(events) = self.take() {
            return Poll::Ready(Some(events));
        }
        if self.stopped.is_none() {
            return Poll::Ready(None);
        }
        if pin!(self.connection.outbox().filled()).poll(context).is_ready() {
            return self.take().map_or(Poll::Pending, |events| Poll::Ready(Some(events)));
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(self.keep_alive)));
        if timer.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        timer.as_mut().reset(Instant::now() + self.keep_alive);
        context.waker().wake_by_ref();
        Poll::Ready(Some(Bytes::from_static(b":\n\n")))
    }

    fn take(&mut self) -> Option<Bytes> {
        self.taken.clear();
        if !self.connection.outbox().take(&mut self.taken) {
            return None;
        }
        let mut events = Vec::with_capacity(self.taken.len() + 64);
        for line in self.taken.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            events.extend_from_slice(b"event: message\ndata: ");
            events.extend_from_slice(line);
            events.extend_from_slice(b"\n\n");
        }
        self.timer = None;
        Some(events.into())
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        lock(&self.open).remove(&self.key);
        self.connection.abandon();
    }
}
