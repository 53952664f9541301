//! Outgoing messages, written straight into a buffer; one line each, without the line's end.

use serde::Serialize;

use super::error::ProtocolError;
use super::id::Id;

/// Appends `value` as JSON. Our own types serialize without failing; an author's `Serialize` has been run before.
pub(crate) fn json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// `{"jsonrpc":"2.0","id":…,"result":…}`, the result written by `body`.
pub(crate) fn result(out: &mut Vec<u8>, id: &Id, body: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    json(out, id);
    out.extend_from_slice(br#","result":"#);
    body(out);
    out.push(b'}');
}

/// An error response; `id` is left out when the request's could not be read.
pub(crate) fn error(out: &mut Vec<u8>, id: Option<&Id>, error: &ProtocolError) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        json(out, id);
        out.push(b',');
    }
    out.extend_from_slice(br#""error":"#);
    json(out, error);
    out.push(b'}');
}

/// A notification; `params` is anything that serializes to an object.
pub(crate) fn notification<T: Serialize + ?Sized>(out: &mut Vec<u8>, method: &str, params: Option<&T>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
    json(out, method);
    if let Some(params) = params {
        out.extend_from_slice(br#","params":"#);
        json(out, params);
    }
    out.push(b'}');
}

/// A request of ours to the client.
pub(crate) fn request<T: Serialize + ?Sized>(out: &mut Vec<u8>, id: &Id, method: &str, params: Option<&T>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    json(out, id);
    out.extend_from_slice(br#","method":"#);
    json(out, method);
    if let Some(params) = params {
        out.extend_from_slice(br#","params":"#);
        json(out, params);
    }
    out.push(b'}');
}
