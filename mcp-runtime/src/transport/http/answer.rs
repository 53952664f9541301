//! Responses: a JSON object, a stream of events, or a status with a reason.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Response, StatusCode};

use super::body::HttpBody;
use super::events::Events;
use super::limits::{Limit, Permit};
use super::two_routes::Lines;
use crate::handler::host::Origin;
use crate::protocol::{ErrorCode, ProtocolError, write};
use crate::server::endpoint::Refusal;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache, no-transform");
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How a status follows from an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statuses {
    /// What does not reach a handler is the client's mistake, and intermediaries see it.
    ByOrigin,
    /// Whatever can be answered is 200.
    Always200,
}

impl Statuses {
    pub(super) const fn of(self, origin: Origin) -> StatusCode {
        match (self, origin) {
            (Self::Always200, _) | (_, Origin::Handler) => StatusCode::OK,
            (Self::ByOrigin, Origin::Envelope) => StatusCode::BAD_REQUEST,
            (Self::ByOrigin, Origin::Routing) => StatusCode::NOT_FOUND,
        }
    }
}

fn with_status(status: StatusCode, body: HttpBody) -> Response<HttpBody> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}

/// A JSON object.
pub(super) fn json(status: StatusCode, body: impl Into<Bytes>) -> Response<HttpBody> {
    let mut response = with_status(status, HttpBody::whole(body));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

/// Shorter answers are no danger, however many there are.
const LONG: usize = 16 * 1024;

/// A long answer, and its part of the memory for all of them, which it gives back when the last byte is sent.
struct Held {
    message: Vec<u8>,
    _room: Permit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.message
    }
}

/// An answer. A client may be slow to read it: all that are not sent yet take bounded memory.
pub(super) fn whole(status: StatusCode, message: Vec<u8>, answers: &Limit) -> Response<HttpBody> {
    if message.len() < LONG {
        return json(status, message);
    }
    let mut room = answers.none();
    if room.grow(message.len()) {
        json(status, Bytes::from_owner(Held { message, _room: room }))
    } else {
        busy("As many long answers wait to be read as may: try again in a moment")
    }
}

/// A stream of events.
pub(super) fn events(events: Events) -> Response<HttpBody> {
    stream(HttpBody::events(events))
}

/// A stream of lines as events.
pub(super) fn lines(lines: Lines) -> Response<HttpBody> {
    stream(HttpBody::lines(lines))
}

fn stream(body: HttpBody) -> Response<HttpBody> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, EVENTS);
    headers.insert(CACHE_CONTROL, NO_CACHE);
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// A status and nothing else.
pub(super) fn empty(status: StatusCode) -> Response<HttpBody> {
    with_status(status, HttpBody::whole(Bytes::new()))
}

/// A status and a reason, as a JSON-RPC error.
pub(super) fn refused(refusal: &Refusal) -> Response<HttpBody> {
    let mut out = Vec::with_capacity(128);
    write::error(&mut out, refusal.id.as_ref(), &refusal.error);
    json(refusal.status, out)
}

/// A status and a reason, before a message was read.
pub(super) fn refuse(status: StatusCode, text: impl Into<String>) -> Response<HttpBody> {
    let code = if status.is_server_error() { ErrorCode::INTERNAL_ERROR } else { ErrorCode::INVALID_REQUEST };
    refused(&Refusal::new(status, None, ProtocolError::new(code, text)))
}

/// 405, with what is allowed.
pub(super) fn not_allowed(allowed: &'static str) -> Response<HttpBody> {
    let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, format!("Method not allowed: here are {allowed}"));
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

/// 503: a bound is reached.
pub(super) fn busy(text: impl Into<String>) -> Response<HttpBody> {
    let mut response = refuse(StatusCode::SERVICE_UNAVAILABLE, text);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// 503: so much is worked on already.
pub(super) fn overworked() -> Response<HttpBody> {
    busy("The server works on as many requests as it may: try again in a moment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_answers_take_bounded_memory_until_they_are_sent() {
        let answers = Limit::new(100_000);
        let answer = |length| whole(StatusCode::OK, vec![b'1'; length], &answers);
        let first = answer(60_000);
        assert_eq!((answer(60_000).status(), answer(1000).status()), (StatusCode::SERVICE_UNAVAILABLE, StatusCode::OK));
        assert!(answers.is_used());
        drop(first);
        assert_eq!(answer(60_000).status(), StatusCode::OK);
        assert!(!answers.is_used());
    }
}
