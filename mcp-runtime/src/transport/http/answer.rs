//! Responses: a JSON object, a stream of events, or a status with a reason.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Response, StatusCode};

use super::body::HttpBody;
use super::events::Events;
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
