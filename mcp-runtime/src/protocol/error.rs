//! JSON-RPC error codes, and the error that a client receives.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::to_json::ToJson;

/// A JSON-RPC error code, see <https://modelcontextprotocol.io/specification/draft/basic#error-codes>.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ErrorCode(pub i64);

impl ErrorCode {
    /// The message is not JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// The message is not a JSON-RPC message.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// No such method, or its capability is not offered.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The parameters do not fit: unknown name, wrong shape, bad cursor.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The server failed.
    pub const INTERNAL_ERROR: Self = Self(-32603);
    /// No such resource (until 2025-11-25; later revisions say [`Self::INVALID_PARAMS`]).
    pub const RESOURCE_NOT_FOUND: Self = Self(-32002);
    /// An HTTP header contradicts the body (2026-07-28).
    pub const HEADER_MISMATCH: Self = Self(-32020);
    /// The request needs a capability that the client did not declare (2026-07-28).
    pub const MISSING_CLIENT_CAPABILITY: Self = Self(-32021);
    /// The revision is not served (2026-07-28).
    pub const UNSUPPORTED_PROTOCOL_VERSION: Self = Self(-32022);
}

impl ErrorCode {
    /// The code as 2026-07-28 knows it. That revision has made the codes from -32768 to -32000 its own: those that it does
    /// not define must not be sent, whatever an author or a peer of theirs means by them.
    pub(crate) const fn for_modern(self) -> Self {
        match self {
            Self::RESOURCE_NOT_FOUND => Self::INVALID_PARAMS,
            Self(-32700 | -32603..=-32600 | -32022..=-32020) => self,
            Self(-32768..=-32000) => Self::INTERNAL_ERROR,
            Self(_) => self,
        }
    }
}

impl From<i64> for ErrorCode {
    fn from(code: i64) -> Self {
        Self(code)
    }
}

/// A JSON-RPC error: the request fails, and the *client* is told, not the model.
///
/// In a handler, return it through `?`, from [`Error`](crate::Error), a boxed `dyn Error` or an enum with `#[from]`.
/// What the model should read and correct itself from is an ordinary error instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProtocolError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<Box<Value>>,
}

impl ProtocolError {
    /// An error with a code of your own, outside -32768…-32000: of those, clients of 2026-07-28 get -32603 for what their
    /// revision does not define.
    pub fn new(code: impl Into<ErrorCode>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), data: None }
    }

    /// -32602: the request's parameters do not fit.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_PARAMS, message)
    }

    /// -32603: the server failed.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INTERNAL_ERROR, message)
    }

    pub(crate) fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST, message)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(ErrorCode::METHOD_NOT_FOUND, format!("Method not found: {method}"))
    }

    /// Adds `data`, anything that serializes.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a value of the author's, or a reference to it")]
    pub fn with_data(mut self, data: impl ToJson) -> Self {
        self.data = data.to_value().ok().map(Box::new);
        self
    }

    /// The JSON-RPC code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The text.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The data, if there is any.
    #[must_use]
    pub fn data(&self) -> Option<&Value> {
        self.data.as_deref()
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code.0)
    }
}

impl std::error::Error for ProtocolError {}
