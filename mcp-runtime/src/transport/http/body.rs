//! Bodies: reading a request's within its bounds, and what a response's is made of.

use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, BufMut as _, Bytes, BytesMut};
use http::Version;
use http::request::Parts;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use tokio::time::timeout;

use super::events::Events;
use super::limits::Permit;
use super::two_routes::Lines;

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    TooLong,
    TooSlow,
    /// The bodies of all requests together take as much memory as they may.
    TooMany,
    /// The client went away, or sent something that is no HTTP.
    Broken,
}

/// A client that writes nothing for so long wants to hear something.
const PAUSE: Duration = Duration::from_millis(500);

/// Over HTTP/2 nobody gives leave to send: a client that asked for it sends after a while, curl after a second.
const PAUSE_FOR_LEAVE: Duration = Duration::from_millis(1500);

/// What becomes of a body that nobody wants, when its request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// It is read and thrown away until its client pauses for so long: a client that writes to the end before it reads would
    /// never hear why it is refused, and not even over HTTP/2, where it could, does every client hear of it while it writes.
    Discarded(Duration),
    /// It is not asked for.
    Left,
}

impl Rest {
    pub(super) fn of(parts: &Parts) -> Self {
        let asks_for_leave = parts.headers.contains_key(http::header::EXPECT);
        match (asks_for_leave, parts.version == Version::HTTP_2) {
            (false, _) => Self::Discarded(PAUSE),
            (true, true) => Self::Discarded(PAUSE_FOR_LEAVE),
            // It has not begun to send.
            (true, false) => Self::Left,
        }
    }
}

/// Reads a body of at most `limit` bytes within `time`, in the memory that `room` can have.
pub(super) async fn read<B: Body>(
    mut body: Pin<&mut B>,
    limit: usize,
    time: Duration,
    room: &mut Permit,
) -> Result<Bytes, Unread> {
    if usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX) > limit {
        return Err(Unread::TooLong);
    }
    let mut reading = pin!(collect(body.as_mut(), limit, room));
    // Most bodies come with their headers: those need no timer.
    match poll_fn(|context| Poll::Ready(reading.as_mut().poll(context))).await {
        Poll::Ready(read) => read,
        // Apart, as all that is rare: each request is moved about with room for everything that may be waited for.
        Poll::Pending => Box::pin(timeout(time, reading)).await.unwrap_or(Err(Unread::TooSlow)),
    }
}

/// Deals with a body that nobody wants, within `time`.
pub(super) async fn discard<B: Body>(mut body: Pin<&mut B>, time: Duration, rest: Rest) {
    let Rest::Discarded(pause) = rest else { return };
    if !body.is_end_stream() {
        let discarding = async { while let Ok(Some(Ok(_))) = timeout(pause, body.frame()).await {} };
        drop(Box::pin(timeout(time, discarding)).await);
    }
}

async fn collect<B: Body>(mut body: Pin<&mut B>, limit: usize, room: &mut Permit) -> Result<Bytes, Unread> {
    let (mut whole, mut more) = (Bytes::new(), BytesMut::new());
    while !body.is_end_stream() {
        let Some(frame) = body.frame().await else { break };
        let Ok(mut data) = frame.map_err(|_| Unread::Broken)?.into_data() else { continue };
        let length = data.remaining();
        if whole.len() + more.len() + length > limit {
            return Err(Unread::TooLong);
        }
        if !room.grow(length) {
            return Err(Unread::TooMany);
        }
        if whole.is_empty() && more.is_empty() {
            // The only piece, usually: it stays where it is.
            whole = data.copy_to_bytes(length);
            continue;
        }
        if more.is_empty() {
            more.reserve(whole.len() + length);
            more.extend_from_slice(&whole);
            whole.clear();
        }
        more.put(data);
    }
    Ok(if more.is_empty() { whole } else { more.freeze() })
}

/// The body of a response.
pub struct HttpBody(Kind);

enum Kind {
    Whole(Bytes),
    Events(Box<Events>),
    Lines(Box<Lines>),
}

impl HttpBody {
    pub(super) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self(Kind::Whole(bytes.into()))
    }

    pub(super) fn events(events: Events) -> Self {
        Self(Kind::Events(Box::new(events)))
    }

    pub(super) fn lines(lines: Lines) -> Self {
        Self(Kind::Lines(Box::new(lines)))
    }
}

/// An empty body, which layers need that answer in the server's place.
impl Default for HttpBody {
    fn default() -> Self {
        Self::whole(Bytes::new())
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Kind::Whole(_) => "HttpBody::Whole",
            Kind::Events(_) | Kind::Lines(_) => "HttpBody::Events",
        })
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.0 {
            Kind::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Kind::Whole(bytes) => Poll::Ready(Some(std::mem::take(bytes))),
            Kind::Events(events) => events.poll_bytes(context),
            Kind::Lines(lines) => lines.poll_bytes(context),
        };
        bytes.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Whole(bytes) => bytes.is_empty(),
            Kind::Events(events) => events.is_over(),
            Kind::Lines(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Kind::Events(_) | Kind::Lines(_) => SizeHint::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::Full;

    use super::super::limits::Limit;
    use super::*;

    async fn read_of(length: usize, room: &mut Permit) -> Result<usize, Unread> {
        let body = pin!(Full::new(Bytes::from(vec![b'x'; length])));
        read(body, 100, Duration::from_secs(1), room).await.map(|bytes| bytes.len())
    }

    #[tokio::test]
    async fn all_bodies_together_take_bounded_memory() {
        let limit = Limit::new(150);
        let (mut one, mut two) = (limit.none(), limit.none());
        assert_eq!(read_of(101, &mut one).await, Err(Unread::TooLong));
        assert_eq!(read_of(100, &mut one).await, Ok(100));
        assert_eq!(read_of(51, &mut two).await, Err(Unread::TooMany));
        assert_eq!(read_of(50, &mut two).await, Ok(50));
        drop(one);
        assert_eq!(read_of(100, &mut two).await, Ok(100));
    }
}
