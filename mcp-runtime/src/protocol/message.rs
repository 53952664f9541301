//! The JSON-RPC envelope: one pass over the bytes, parameters left as borrowed slices.
//!
//! Hand-written rather than an untagged enum, so that each malformation gets its own code, with the id whenever one was read.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{ErrorCode, ProtocolError};
use super::id::Id;
use super::id_scan::IdScan;
use super::params::Params;
use super::scan::{Broken, Raw, Scan};

/// A JSON-RPC message, borrowed from its line.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request(Request<'a>),
    Notification { method: Cow<'a, str>, params: Params<'a> },
    Response(Response<'a>),
}

/// A request, borrowed from its line.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: Id,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
}

/// The peer's answer to a request of ours.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    /// `None` when the peer could not read which request it answers: `null`, absent or no id at all.
    pub(crate) id: Option<Id>,
    pub(crate) outcome: Result<&'a RawValue, &'a RawValue>,
}

/// `serde_json`'s text without its position, which counts from the start of a slice the client never saw.
pub(crate) fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
        None => text,
    }
}

/// A message that can't be handled: what to answer, and to whom.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub(crate) id: Option<Id>,
    pub(crate) error: ProtocolError,
}

impl Malformed {
    fn new(id: Option<Id>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { id, error: ProtocolError::new(code, message) }
    }
}

/// The bytes as text: UTF-8, without the byte order mark that some clients write first.
pub(crate) fn text(line: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(line).map(|text| text.trim_start_matches('\u{feff}')).map_err(|_| {
        Malformed::new(IdScan::over(line), ErrorCode::PARSE_ERROR, "Parse error: the message is not UTF-8")
    })
}

/// Whether the text is an array of messages.
pub(crate) fn is_batch(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// A batch has so many messages at most: each costs an answer, which may be much longer than what asks for it.
const MOST_IN_BATCH: usize = 1024;

/// The messages of a batch, each as its own text.
pub(crate) fn batch(text: &str) -> Result<Vec<&RawValue>, Malformed> {
    struct Messages;
    impl<'a> Visitor<'a> for Messages {
        type Value = Vec<&'a RawValue>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array of messages")
        }

        fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut messages = Vec::new();
            while let Some(message) = seq.next_element()? {
                if messages.len() == MOST_IN_BATCH {
                    return Err(A::Error::custom(format_args!("a batch has at most {MOST_IN_BATCH} messages")));
                }
                messages.push(message);
            }
            Ok(messages)
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let messages = reader.deserialize_seq(Messages).and_then(|messages| reader.end().map(|()| messages));
    messages.map_err(|error| {
        if error.is_data() {
            Malformed::new(None, ErrorCode::INVALID_REQUEST, format!("Invalid request: {}", plain(&error)))
        } else {
            Malformed::new(None, ErrorCode::PARSE_ERROR, format!("Parse error: {error}"))
        }
    })
}

/// Reads one message.
pub(crate) fn parse(text: &str) -> Result<Message<'_>, Malformed> {
    let mut scan = Scan::new(text);
    if !matches!(scan.peek(), Some(b'{')) {
        return Err(no_object(text));
    }
    let mut envelope = Envelope::default();
    if envelope.read(&mut scan).and_then(|()| scan.end()).is_ok() {
        return envelope.into_message();
    }
    let text = format!("Parse error: {}", Broken::explain(text));
    Err(Malformed::new(envelope.good_id(), ErrorCode::PARSE_ERROR, text))
}

/// Says what is wrong with a message that does not begin like an object.
#[cold]
fn no_object(text: &str) -> Malformed {
    let outcome = serde_json::Deserializer::from_str(text).deserialize_map(NoObject);
    match outcome {
        Err(error) if !error.is_data() => Malformed::new(None, ErrorCode::PARSE_ERROR, format!("Parse error: {error}")),
        outcome => {
            let text = outcome.map_or_else(|error| plain(&error), |()| "no object".to_owned());
            Malformed::new(None, ErrorCode::INVALID_REQUEST, format!("Invalid request: {text}"))
        }
    }
}

/// Only there for what `serde_json` says when something else comes.
struct NoObject;

impl Visitor<'_> for NoObject {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC message, which is an object")
    }
}

#[derive(Default)]
struct Envelope<'a> {
    version: Option<Raw<'a>>,
    id: Option<Raw<'a>>,
    method: Option<Raw<'a>>,
    params: Option<Params<'a>>,
    result: Option<Raw<'a>>,
    error: Option<Raw<'a>>,
    /// A key that stands twice. Which of the two is meant? A proxy and we might disagree, so neither.
    twice: Option<Cow<'a, str>>,
}

impl<'a> Envelope<'a> {
    /// Reads on after a key that stands twice: the id may come later.
    fn read(&mut self, scan: &mut Scan<'a>) -> Result<(), Broken> {
        scan.object(|key, scan| {
            let is_first = match &*key {
                "params" => put(&mut self.params, Params::read(scan)?),
                "jsonrpc" => put(&mut self.version, scan.value()?),
                "id" => put(&mut self.id, scan.value()?),
                "method" => put(&mut self.method, scan.value()?),
                "result" => put(&mut self.result, scan.value()?),
                "error" => put(&mut self.error, scan.value()?),
                _ => scan.value().map(|_| true)?,
            };
            if !is_first {
                self.twice.get_or_insert(key);
            }
            Ok(())
        })
    }

    fn good_id(&self) -> Option<Id> {
        Id::read(self.id?)
    }

    fn into_message(self) -> Result<Message<'a>, Malformed> {
        let id = self.good_id();
        let refuse =
            |text: &str| Malformed::new(id.clone(), ErrorCode::INVALID_REQUEST, format!("Invalid request: {text}"));
        if let Some(key) = self.twice {
            return Err(refuse(&format!("`{key}` stands twice")));
        }
        let is_response = self.method.is_none() && self.result.is_some() != self.error.is_some();
        // An answer is never answered, whatever its id: two peers would go on for ever.
        if self.id.is_some() && id.is_none() && !is_response {
            return Err(refuse("`id` must be a string or an integer"));
        }
        if self.version.and_then(Raw::text).as_deref() != Some("2.0") {
            return Err(refuse("`jsonrpc` must be \"2.0\""));
        }
        match (self.method, self.result, self.error) {
            (Some(method), None, None) => {
                let Some(method) = method.text() else { return Err(refuse("`method` must be a string")) };
                let params = self.params.unwrap_or_default();
                Ok(match id {
                    Some(id) => Message::Request(Request { id, method, params }),
                    None => Message::Notification { method, params },
                })
            }
            (None, Some(result), None) => Ok(Message::Response(Response { id, outcome: Ok(borrowed(result)) })),
            (None, None, Some(error)) => Ok(Message::Response(Response { id, outcome: Err(borrowed(error)) })),
            (None, None, None) => Err(refuse("`method` is missing")),
            _ => Err(refuse("a message has one of `method`, `result`, `error`")),
        }
    }
}

/// A value as `serde_json` holds it. It was read once, so it is read again without an error.
fn borrowed(raw: Raw<'_>) -> &RawValue {
    serde_json::from_str(raw.get()).unwrap_or(RawValue::NULL)
}

/// Takes a member's value; false when it has one already, which stays.
fn put<T>(slot: &mut Option<T>, value: T) -> bool {
    let is_first = slot.is_none();
    slot.get_or_insert(value);
    is_first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (Option<Id>, i64) {
        let malformed = parse(text).unwrap_err();
        (malformed.id, malformed.error.code.0)
    }

    #[test]
    fn a_request_keeps_its_parameters_as_bytes() {
        let Ok(Message::Request(request)) = parse(
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"add","arguments":{ "a" : 1 }}}"#,
        ) else {
            panic!("a request")
        };
        assert_eq!(request.id, Id::Text("a".into()));
        assert_eq!(request.method, "tools/call");
        assert_eq!(request.params.raw("arguments").unwrap().get(), r#"{ "a" : 1 }"#);
        assert_eq!(request.params.require::<String>("name").unwrap(), "add");
    }

    #[test]
    fn an_escaped_method_is_read() {
        let Ok(Message::Notification { method, .. }) = parse(r#"{"jsonrpc":"2.0","method":"a\u002fb"}"#) else {
            panic!("a notification")
        };
        assert_eq!(method, "a/b");
    }

    #[test]
    fn a_malformed_message_is_answered_with_its_id() {
        assert_eq!(refused(r#"{"id":99,"method":"ping"}"#), (Some(Id::from(99)), -32600));
        assert_eq!(refused(r#"{"jsonrpc":"1.0","id":99,"method":"ping"}"#), (Some(Id::from(99)), -32600));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":7,"method":5}"#), (Some(Id::from(7)), -32600));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":7}"#), (Some(Id::from(7)), -32600));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{}}"#), (Some(Id::from(7)), -32600));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{bad}}"#), (Some(Id::from(7)), -32700));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":7,"id":8,"method":"x"}"#), (Some(Id::from(7)), -32600));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#), (None, -32600));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#), (None, -32600));
        assert_eq!(refused("17"), (None, -32600));
        assert_eq!(refused("not json"), (None, -32700));
    }

    #[test]
    fn parameters_that_are_no_object_are_told_apart_from_a_broken_message() {
        for params in ["[1]", "false", "3", "\"x\"", "{\"a\":1,\"a\":2}"] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{params}}}"#);
            let Ok(Message::Request(request)) = parse(&text) else { panic!("{params}") };
            assert_eq!(request.params.check().unwrap_err().code, ErrorCode::INVALID_PARAMS, "{params}");
        }
    }

    #[test]
    fn deep_nesting_is_no_stack_overflow() {
        let deep = "[".repeat(100_000);
        assert_eq!(refused(&deep).1, -32600);
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{deep}}}}}"#);
        assert_eq!(refused(&text), (Some(Id::from(1)), -32700));
    }
}
