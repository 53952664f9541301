//! Why a question has no answer.

use std::fmt;

/// Why a question has no answer, for `?` in a handler.
///
/// In a tool the model reads its text; it can then explain or try something else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AskError {
    /// The person said no.
    Declined {
        /// The key of the question.
        key: String,
    },
    /// The person closed the question without an answer.
    Cancelled {
        /// The key of the question.
        key: String,
    },
    /// Nobody answered within the question's own time.
    Expired {
        /// The key of the question.
        key: String,
    },
    /// The client's answer does not fit the question.
    Malformed {
        /// The key of the question.
        key: String,
        /// What is wrong with it.
        faults: String,
    },
    /// The client answered with an error of its own.
    Client {
        /// Its JSON-RPC code.
        code: i64,
        /// Its text.
        message: String,
    },
    /// What was to be asked cannot be sent.
    Request(String),
    /// It was asked inside a [`once`](crate::Ctx::once) future, which may not wait for the client.
    InsideOnce {
        /// The key of the question.
        key: String,
    },
    /// [`commit_once`](crate::Ctx::commit_once) was passed before: the client has repeated a round.
    Repeated,
    /// The call is over; only what was moved out of the handler sees this.
    Ended,
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declined { key } => write!(f, "the user declined to answer `{key}`"),
            Self::Cancelled { key } => write!(f, "the user dismissed the question `{key}`"),
            Self::Expired { key } => write!(f, "nobody answered `{key}` in time"),
            Self::Malformed { key, faults } => write!(f, "the answer to `{key}` does not fit:{faults}"),
            Self::Client { code: 0, message } if message.is_empty() => {
                f.write_str("the client could not ask, and did not say why")
            }
            Self::Client { code: 0, message } => write!(f, "the client could not ask: {message}"),
            Self::Client { code, message } => write!(f, "the client could not ask: {message} ({code})"),
            Self::Request(problem) => f.write_str(problem),
            Self::InsideOnce { key } => {
                write!(f, "`{key}` is asked inside `once`: ask before it, and hand the answer in")
            }
            Self::Repeated => f.write_str("this was done already: the client has repeated its request"),
            Self::Ended => f.write_str("the call is over"),
        }
    }
}

impl std::error::Error for AskError {}
