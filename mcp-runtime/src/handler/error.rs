//! Errors: the one that programs return from `main` and handlers, and what becomes of a handler's own.

use std::any::Any;
use std::error::Error as StdError;
use std::fmt::{self, Display};

use super::ask::{AskError, Round};
use crate::protocol::{ErrorCode, ProtocolError, ToJson};

/// Any error, for `main` and for handlers.
///
/// `?` turns every [`std::error::Error`] into it. In a tool the model reads its text; in a resource or prompt the client
/// receives an internal error. A [`ProtocolError`] inside it fails the request with that JSON-RPC error instead.
/// Its `Debug` is the report that a person should read, so `fn main() -> mcp_runtime::Result<()>` prints well.
///
/// ```
/// use mcp_runtime::{Error, Result};
///
/// fn parse(text: &str) -> Result<u32> {
///     if text.is_empty() {
///         return Err(Error::msg("nothing to parse"));
///     }
///     Ok(text.parse()?)
/// }
/// assert_eq!(parse("").unwrap_err().to_string(), "nothing to parse");
/// assert!(parse("x").is_err());
/// ```
pub struct Error {
    source: Box<dyn StdError + Send + Sync>,
}

/// A result whose error is [`Error`] unless it says otherwise.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A text as an error.
#[derive(Debug)]
struct Message(String);

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl StdError for Message {}

impl Error {
    /// An error that is a text.
    pub fn msg(text: impl Display) -> Self {
        Self { source: Box::new(Message(text.to_string())) }
    }

    /// The JSON-RPC error -32602: the request's parameters do not fit.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        ProtocolError::invalid_params(message).into()
    }

    /// The JSON-RPC error -32603: the server failed.
    pub fn internal(message: impl Into<String>) -> Self {
        ProtocolError::internal(message).into()
    }

    /// A JSON-RPC error with a code of your own, outside -32768…-32000, see [`ProtocolError::new`].
    pub fn protocol(code: impl Into<ErrorCode>, message: impl Into<String>) -> Self {
        ProtocolError::new(code, message).into()
    }

    /// Adds `data` to a JSON-RPC error; other errors have none and stay as they are.
    #[must_use]
    pub fn with_data(self, data: impl ToJson) -> Self {
        match self.source.downcast::<ProtocolError>() {
            Ok(error) => error.with_data(data).into(),
            Err(source) => Self { source },
        }
    }

    /// The error inside.
    #[must_use]
    pub fn as_std(&self) -> &(dyn StdError + Send + Sync + 'static) {
        self.source.as_ref()
    }
}

impl<E: StdError + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self { source: Box::new(error) }
    }
}

impl From<Error> for Box<dyn StdError + Send + Sync> {
    fn from(error: Error) -> Self {
        error.source
    }
}

impl From<Error> for Box<dyn StdError + Send> {
    fn from(error: Error) -> Self {
        error.source
    }
}

impl From<Error> for Box<dyn StdError> {
    fn from(error: Error) -> Self {
        error.source
    }
}

#[cfg(feature = "anyhow")]
impl From<Error> for anyhow::Error {
    fn from(error: Error) -> Self {
        // In a box inside it, these could not be found again.
        let source = match error.source.downcast::<ProtocolError>() {
            Ok(error) => return Self::new(*error),
            Err(source) => source,
        };
        source.downcast::<AskError>().map_or_else(Self::from_boxed, |error| Self::new(*error))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        if f.alternate() {
            for cause in causes(self.source.source()) {
                write!(f, ": {cause}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        for cause in causes(self.source.source()) {
            write!(f, "\n  caused by: {cause}")?;
        }
        Ok(())
    }
}

fn causes<'a>(first: Option<&'a (dyn StdError + 'static)>) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(first, |error| (*error).source())
}

/// Why a handler has no reply.
#[derive(Debug)]
pub enum Failure {
    /// The handler failed; a model may read this text.
    Message(String),
    /// The request fails with this JSON-RPC error.
    Protocol(ProtocolError),
    /// The arguments do not fit; the handler did not run.
    Refused(String),
    /// The call ends with a text of ours, which hides nothing.
    Said(String),
    /// The client lacks what the call needs.
    Incapable(ProtocolError),
    /// The client is sent away with questions.
    Asks(Box<Round>),
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(text) | Self::Refused(text) | Self::Said(text) => f.write_str(text),
            Self::Protocol(error) | Self::Incapable(error) => error.fmt(f),
            Self::Asks(_) => f.write_str("the client is asked"),
        }
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        Self::Said(error.to_string())
    }
}

/// An error type that a handler may return: anything that displays itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a handler's error",
    label = "has no `Display` that the model could read",
    note = "implement `std::fmt::Display` for it, or return `mcp_runtime::Error`"
)]
pub trait HandlerError: 'static {
    /// What the client is told.
    fn into_failure(self) -> Failure;
}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> HandlerError for E {
    fn into_failure(self) -> Failure {
        let any: &dyn Any = &self;
        if let Some(error) = find::<ProtocolError>(any) {
            return Failure::Protocol(error.clone());
        }
        let text = chain(any).unwrap_or_else(|| format!("{self:#}"));
        if find::<AskError>(any).is_some() { Failure::Said(text) } else { Failure::Message(text) }
    }
}

/// The error of ours that `error` is, or that a boxed error has in its chain.
fn find<T: StdError + 'static>(error: &dyn Any) -> Option<&T> {
    if let Some(error) = error.downcast_ref::<T>() {
        return Some(error);
    }
    #[cfg(feature = "anyhow")]
    if let Some(error) = error.downcast_ref::<anyhow::Error>() {
        return error.chain().find_map(|error| error.downcast_ref());
    }
    let first = boxed(error)?;
    causes(Some(first)).find_map(|error| error.downcast_ref())
}

/// The boxed error's texts from the outside in; only boxed errors hide their causes from `{:#}`.
fn chain(error: &dyn Any) -> Option<String> {
    if error.is::<Error>() {
        return None;
    }
    let texts: Vec<String> = causes(Some(boxed(error)?)).map(ToString::to_string).collect();
    Some(texts.join(": "))
}

fn boxed(error: &dyn Any) -> Option<&(dyn StdError + 'static)> {
    if let Some(error) = error.downcast_ref::<Error>() {
        return Some(error.source.as_ref());
    }
    if let Some(error) = error.downcast_ref::<Box<dyn StdError + Send + Sync>>() {
        return Some(error.as_ref());
    }
    if let Some(error) = error.downcast_ref::<Box<dyn StdError + Send>>() {
        return Some(error.as_ref());
    }
    error.downcast_ref::<Box<dyn StdError>>().map(AsRef::as_ref)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_becomes_one_of_a_program() {
        fn fails() -> Result<()> {
            Err(Error::msg("no notes"))
        }
        fn boxed() -> Result<(), Box<dyn StdError>> {
            Ok(fails()?)
        }
        fn sent() -> Result<(), Box<dyn StdError + Send>> {
            Ok(fails()?)
        }
        fn shared() -> Result<(), Box<dyn StdError + Send + Sync>> {
            Ok(fails()?)
        }
        for text in
            [boxed().unwrap_err().to_string(), sent().unwrap_err().to_string(), shared().unwrap_err().to_string()]
        {
            assert_eq!(text, "no notes");
        }
    }

    #[cfg(feature = "anyhow")]
    #[test]
    fn an_error_becomes_one_of_anyhow_with_its_cause() {
        let lost = || -> anyhow::Result<()> { Ok(Err::<(), Error>(Error::invalid_params("no notes"))?) };
        let error = lost().unwrap_err();
        assert_eq!(error.to_string(), Error::invalid_params("no notes").to_string());
        assert_eq!(protocol(error.into_failure()), Some(-32602));
    }

    #[derive(Debug)]
    struct Outer(ProtocolError);

    impl Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("outer")
        }
    }

    impl StdError for Outer {
        fn source(&self) -> Option<&(dyn StdError + 'static)> {
            Some(&self.0)
        }
    }

    fn protocol(failure: Failure) -> Option<i64> {
        match failure {
            Failure::Protocol(error) => Some(error.code().0),
            _ => None,
        }
    }

    #[test]
    fn a_protocol_error_is_found_anywhere_in_a_boxed_chain() {
        let inner = || Outer(ProtocolError::invalid_params("x"));
        let boxed: Box<dyn StdError + Send + Sync> = Box::new(inner());
        assert_eq!(protocol(boxed.into_failure()), Some(-32602));
        assert_eq!(protocol(Error::from(inner()).into_failure()), Some(-32602));
        assert_eq!(protocol(ProtocolError::new(7, "x").into_failure()), Some(7));
    }

    #[test]
    fn inside_another_error_type_it_is_text() {
        let failure = Outer(ProtocolError::invalid_params("x")).into_failure();
        assert!(matches!(failure, Failure::Message(text) if text == "outer"));
    }

    #[test]
    fn the_whole_chain_reaches_the_model() {
        let boxed: Box<dyn StdError + Send + Sync> = Box::new(std::io::Error::other("disk full"));
        assert!(matches!(boxed.into_failure(), Failure::Message(text) if text == "disk full"));
        assert!(matches!("plain".into_failure(), Failure::Message(text) if text == "plain"));
    }

    #[test]
    fn data_stays_with_a_protocol_error() {
        let error = Error::protocol(42, "no").with_data([1]);
        let Failure::Protocol(error) = error.into_failure() else { panic!("a protocol error") };
        assert_eq!(error.data(), Some(&serde_json::json!([1])));
        assert_eq!(Error::msg("x").with_data(1).to_string(), "x");
    }
}
