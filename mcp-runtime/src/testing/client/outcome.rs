//! What comes of a request: the result of a tool, or why there is none.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::protocol::ProtocolError;
use crate::registry::problem::BuildError;

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallOutcome {
    pub(super) result: Value,
}

impl CallOutcome {
    /// Whether the tool says that it failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.result.get("isError").and_then(Value::as_bool).unwrap_or_default()
    }

    /// The blocks of content.
    #[must_use]
    pub fn content(&self) -> &[Value] {
        self.result.get("content").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The texts among the content, one after the other.
    #[must_use]
    pub fn text(&self) -> String {
        self.content().iter().filter_map(|block| block.get("text")?.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The structured content; `null` when there is none.
    #[must_use]
    pub fn structured(&self) -> &Value {
        self.result.get("structuredContent").unwrap_or(&Value::Null)
    }

    /// The structured content as the type it was made from.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        decode(self.structured().clone())
    }

    /// The whole result.
    #[must_use]
    pub const fn raw(&self) -> &Value {
        &self.result
    }
}

/// Why a request of a [`Client`](super::Client) has no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The server cannot start.
    Build(BuildError),
    /// A start hook failed.
    Start(String),
    /// The server answered with a JSON-RPC error.
    Protocol(ProtocolError),
    /// The server never answers: the request was cancelled.
    Closed,
    /// Two runs of one round asked for different things, see [`ClientBuilder::strict_replay`](super::ClientBuilder::strict_replay).
    Unrepeatable(String),
    /// The answer is not what the method gives.
    Unreadable(String),
    /// A notification did not come.
    Silent(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::Start(text) => write!(f, "the server did not start: {text}"),
            Self::Protocol(error) => error.fmt(f),
            Self::Unrepeatable(text) => write!(f, "the handler does not repeat itself: {text}"),
            Self::Closed => f.write_str("the request was not answered"),
            Self::Unreadable(text) => write!(f, "the answer cannot be read: {text}"),
            Self::Silent(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ClientError {}

pub(super) fn decode<T: DeserializeOwned>(value: Value) -> Result<T, ClientError> {
    serde_json::from_value(value).map_err(|error| ClientError::Unreadable(error.to_string()))
}
