//! What an HTTP request to the endpoint asks for: its era, told from its headers and body, and all checks that belong to it.
//!
//! Here because it needs the protocol's words; bytes, sessions and streams are the transport's.

mod batch;
mod headers;
pub(crate) mod known;
pub(crate) mod options;

use http::StatusCode;

pub(crate) use self::batch::batch;
use self::known::{Header, Known};
use super::core::Core;
use super::modern;
use crate::protocol::id::Id;
use crate::protocol::message::{self, Message, Request, Response};
use crate::protocol::meta::RequestMeta;
use crate::protocol::params::Params;
use crate::protocol::{ErrorCode, ProtocolError, Revision};

/// What a POST asks for.
pub(crate) enum Class<'a, S> {
    /// A request of the stateless era, checked.
    Modern(Request<'a>, RequestMeta<'a>),
    /// The beginning of a session.
    Initialize(Request<'a>),
    /// A message of a session, or of a client that is served without one.
    Legacy(Legacy<'a>, Legitimation<S>),
    /// Nothing has to be done.
    Ignored,
}

/// What belongs to a session.
pub(crate) enum Legacy<'a> {
    Request(Request<'a>, RequestMeta<'a>),
    Notification(std::borrow::Cow<'a, str>, Params<'a>),
    Response(Response<'a>),
    /// An array of messages, not read yet.
    Batch(&'a str),
}

impl Legacy<'_> {
    /// The id under which it is answered.
    pub(crate) const fn id(&self) -> Option<&Id> {
        if let Self::Request(request, _) = self { Some(&request.id) } else { None }
    }
}

/// How a message says where it belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Legitimation<S> {
    Session(S),
    /// By its revision alone.
    Revision(Revision),
}

/// Why a request is not served.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) id: Option<Id>,
    pub(crate) error: ProtocolError,
}

impl Refusal {
    pub(crate) const fn new(status: StatusCode, id: Option<Id>, error: ProtocolError) -> Self {
        Self { status, id, error }
    }

    /// The session is forged, too old or ended: the client is to begin a new one.
    pub(crate) fn no_session(id: Option<Id>) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            id,
            ProtocolError::invalid_request("Session not found: begin a new one with `initialize`"),
        )
    }

    fn bad(id: Option<Id>, error: ProtocolError) -> Self {
        Self::new(StatusCode::BAD_REQUEST, id, error)
    }

    /// 400: it is no request of this protocol.
    pub(crate) fn invalid(id: Option<Id>, text: impl Into<String>) -> Self {
        Self::bad(id, ProtocolError::invalid_request(text))
    }
}

/// Whether a header names a revision of this era, for requests without a body.
pub(crate) fn is_modern(headers: &Known<'_>) -> bool {
    matches!(version(headers.version), Ok(Version::Known(revision)) if revision.is_modern())
}

/// Whether clients get sessions.
pub(crate) fn has_sessions(core: &Core) -> bool {
    core.options.http.sessions && serves(core, false)
}

/// What the version header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version<'h> {
    Absent,
    Known(Revision),
    Unknown(&'h str),
}

fn version(header: Header<'_>) -> Result<Version<'_>, Refusal> {
    let unclear = |_| {
        Refusal::bad(
            None,
            ProtocolError::new(
                ErrorCode::HEADER_MISMATCH,
                "Header mismatch: `MCP-Protocol-Version` must stand there once, as text",
            ),
        )
    };
    let text = header.single().map_err(unclear)?;
    Ok(text.map_or(Version::Absent, |text| text.parse().map_or(Version::Unknown(text), Version::Known)))
}

/// The session that the headers name.
pub(crate) fn session_id<'h>(headers: &Known<'h>) -> Result<Option<&'h str>, Refusal> {
    let header = headers.session;
    header
        .single()
        .map_err(|_| Refusal::invalid(None, "Invalid request: `Mcp-Session-Id` must stand there once, as ASCII"))
}

/// A request of a session must name a revision that is served, or none.
pub(crate) fn check_legacy_version(core: &Core, headers: &Known<'_>) -> Result<(), Refusal> {
    legacy_version(core, version(headers.version)?).map(drop)
}

/// The legacy revision that the header names, if it is served.
fn legacy_version(core: &Core, version: Version<'_>) -> Result<Option<Revision>, Refusal> {
    match version {
        Version::Absent => Ok(None),
        Version::Known(revision) if !revision.is_modern() && core.options.revisions.contains(&revision) => {
            Ok(Some(revision))
        }
        Version::Known(revision) => Err(Refusal::bad(None, unsupported(core, revision.as_str()))),
        Version::Unknown(text) => Err(Refusal::bad(None, unsupported(core, text))),
    }
}

fn unsupported(core: &Core, requested: &str) -> ProtocolError {
    let supported: Vec<&str> = core.options.revisions.iter().map(|revision| revision.as_str()).collect();
    ProtocolError::invalid_request(format!(
        "Unsupported protocol version: {requested}; served are {}",
        supported.join(", ")
    ))
    .with_data(serde_json::json!({"supported": supported, "requested": requested}))
}

fn serves(core: &Core, modern: bool) -> bool {
    core.options.revisions.iter().any(|revision| revision.is_modern() == modern)
}

/// Finds the session with an id.
type Open<'o, S> = &'o dyn Fn(&str) -> Option<S>;

/// Tells what a POST asks for; `text` is its body.
pub(crate) fn classify<'a, S>(
    core: &Core,
    headers: &Known<'_>,
    text: &'a str,
    open: Open<'_, S>,
) -> Result<Class<'a, S>, Refusal> {
    if message::is_batch(text) {
        // A client that names the later era has no batches, whatever else is served.
        return if serves(core, false) && !is_modern(headers) {
            legacy(core, headers, version(headers.version), Legacy::Batch(text), open)
        } else {
            Err(Refusal::invalid(None, "Invalid request: a body holds one message"))
        };
    }
    match message::parse(text) {
        Err(malformed) => Err(Refusal::bad(malformed.id, malformed.error)),
        Ok(Message::Request(request)) => classify_request(core, headers, request, open),
        // Of the later era there are no notifications over HTTP that mean anything.
        Ok(Message::Notification { .. }) if serves(core, true) && is_modern(headers) => Ok(Class::Ignored),
        Ok(Message::Notification { method, params }) => {
            legacy(core, headers, version(headers.version), Legacy::Notification(method, params), open)
        }
        Ok(Message::Response(response)) => {
            legacy(core, headers, version(headers.version), Legacy::Response(response), open)
        }
    }
}

fn classify_request<'a, S>(
    core: &Core,
    headers: &Known<'_>,
    request: Request<'a>,
    open: Open<'_, S>,
) -> Result<Class<'a, S>, Refusal> {
    let bad = |error| Refusal::bad(Some(request.id.clone()), error);
    let meta = RequestMeta::read(&request.params).map_err(bad)?;
    let version = version(headers.version).map_err(|refusal| bad(refusal.error))?;
    if serves(core, true) {
        let belongs = meta.claims_modern()
            || match version {
                Version::Known(revision) => revision.is_modern(),
                // A session belongs to the earlier era, whatever its client says that it speaks.
                Version::Unknown(_) => request.method != "initialize" && !headers.session.is_there(),
                Version::Absent => modern::is_own(&request.method) && !headers.session.is_there(),
            };
        if belongs && (meta.claims_modern() || request.method != "initialize") {
            check_modern(core, headers, &request, &meta).map_err(bad)?;
            return Ok(Class::Modern(request, meta));
        }
    }
    if !serves(core, false) {
        let error = modern::check_meta(core, &meta).err().unwrap_or_else(|| unsupported(core, "none"));
        let versions: Vec<&str> = core.options.revisions.iter().map(|revision| revision.as_str()).collect();
        let text = format!("{}; served are {}", error.message(), versions.join(", "));
        return Err(bad(ProtocolError { message: text, ..error }));
    }
    if request.method == "initialize" {
        return Ok(Class::Initialize(request));
    }
    legacy(core, headers, Ok(version), Legacy::Request(request, meta), open)
}

/// The checks of the stateless era in their order, up to those that need the method's parameters.
fn check_modern(
    core: &Core,
    headers: &Known<'_>,
    request: &Request<'_>,
    meta: &RequestMeta<'_>,
) -> Result<(), ProtocolError> {
    request.params.check()?;
    let claimed = modern::claimed_version(meta)?;
    headers::check(headers.version, "MCP-Protocol-Version", &claimed)?;
    modern::check_meta(core, meta)?;
    headers::check(headers.method, "Mcp-Method", &request.method)?;
    let Some(member) = modern::name_member(&request.method) else { return Ok(()) };
    // A name that is missing or no text is the method's own matter.
    let Ok(Some(name)) = request.params.text(member) else { return Ok(()) };
    headers::check_encoded(headers.name, "Mcp-Name", &name)?;
    if modern::is_call(&request.method) {
        headers::check_arguments(core, headers.all, &name, request.params.raw("arguments"))?;
    }
    Ok(())
}

/// The revision of a client that does not say: 2025-03-26, which had no header for it, or the oldest that is served.
fn assumed(core: &Core) -> Revision {
    let mut served = core.options.revisions.iter().copied();
    let oldest = core.options.revisions.first().copied();
    served.find(|revision| *revision == Revision::V2025_03_26).or(oldest).unwrap_or(Revision::V2025_03_26)
}

/// A message of a session, or of a client that is served without one.
fn legacy<'a, S>(
    core: &Core,
    headers: &Known<'_>,
    version: Result<Version<'_>, Refusal>,
    message: Legacy<'a>,
    open: Open<'_, S>,
) -> Result<Class<'a, S>, Refusal> {
    match version.and_then(|version| legitimation(core, headers, version, open)) {
        Ok(legitimation) => Ok(Class::Legacy(message, legitimation)),
        Err(refusal) => Err(Refusal { id: message.id().cloned(), ..refusal }),
    }
}

fn legitimation<S>(
    core: &Core,
    headers: &Known<'_>,
    version: Version<'_>,
    open: Open<'_, S>,
) -> Result<Legitimation<S>, Refusal> {
    let revision = legacy_version(core, version)?;
    let session = session_id(headers)?;
    if !core.options.http.sessions {
        return Ok(Legitimation::Revision(revision.unwrap_or_else(|| assumed(core))));
    }
    let Some(id) = session else {
        return Err(Refusal::invalid(
            None,
            "Invalid request: `Mcp-Session-Id` is missing; a session begins with `initialize`",
        ));
    };
    open(id).map(Legitimation::Session).ok_or_else(|| Refusal::no_session(None))
}
