//! What a request is answered with, before an era writes it.

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::handler::ask::Open;
use crate::handler::prompt::Messages;
use crate::handler::tool_result::ToolResult;
use crate::protocol::content::{Content, ContentKind};
use crate::protocol::features::{Features, Structured};
use crate::protocol::render::For;
use crate::protocol::write;
use crate::protocol::{ProtocolError, ResourceContents};
use crate::registry::entry::Cache;

/// A good answer.
#[derive(Debug)]
pub(crate) enum Reply {
    /// `{}`.
    Empty,
    Tool(ToolResult),
    Prompt(Messages),
    Resource {
        contents: Vec<ResourceContents>,
        cache: Cache,
    },
    /// The members of a list's page, written already.
    Page {
        members: Bytes,
        cache: Cache,
    },
    Completion(Candidates),
    /// Questions that the client takes along, and what it brings back with the answers.
    Asks {
        open: Vec<Open>,
        state: String,
    },
    /// A refusal of ours, because the client lacks what the call needs.
    Incapable(ProtocolError),
    /// An object, of an extension or an era's own method.
    Object(Map<String, Value>),
}

/// Candidates for an argument.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidates {
    values: Vec<String>,
    total: usize,
    has_more: bool,
}

impl Candidates {
    /// The protocol allows so many.
    const MOST: usize = 100;

    pub(crate) fn new(mut values: Vec<String>) -> Self {
        let total = values.len();
        values.truncate(Self::MOST);
        Self { values, total, has_more: total > Self::MOST }
    }
}

impl Reply {
    /// The author's own `_meta`.
    pub(crate) fn meta(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Tool(result) => result.meta.as_deref(),
            _ => None,
        }
    }

    /// How long the answer may be kept, where that can be said.
    pub(crate) const fn cache(&self) -> Option<Cache> {
        match self {
            Self::Resource { cache, .. } | Self::Page { cache, .. } => Some(*cache),
            _ => None,
        }
    }

    /// Writes the members of the result, without braces; nothing when it has none.
    pub(crate) fn write_members(&self, out: &mut Vec<u8>, features: &'static Features) {
        match self {
            Self::Empty | Self::Incapable(_) => {}
            Self::Asks { open, state } => {
                out.extend_from_slice(b"\"inputRequests\":");
                write::json(out, &Requests(open));
                out.extend_from_slice(b",\"requestState\":");
                write::json(out, state);
            }
            Self::Tool(result) => write_tool(out, result, features),
            Self::Prompt(messages) => write_prompt(out, messages, features),
            Self::Resource { contents, .. } => {
                out.extend_from_slice(b"\"contents\":");
                write::json(out, &contents.iter().map(|contents| For(contents, features)).collect::<Vec<_>>());
            }
            Self::Page { members, .. } => out.extend_from_slice(members),
            Self::Completion(candidates) => {
                out.extend_from_slice(b"\"completion\":");
                write::json(out, candidates);
            }
            Self::Object(members) => {
                for (index, (key, value)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    write::json(out, key);
                    out.push(b':');
                    write::json(out, value);
                }
            }
        }
    }
}

/// Questions by their keys.
struct Requests<'a>(&'a [Open]);

impl Serialize for Requests<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Request<'a> {
            method: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            params: Option<&'a RawValue>,
        }
        serializer.collect_map(
            self.0.iter().map(|open| (&open.key, Request { method: open.method, params: open.params.as_deref() })),
        )
    }
}

fn write_tool(out: &mut Vec<u8>, result: &ToolResult, features: &'static Features) {
    out.extend_from_slice(b"\"content\":[");
    for (index, content) in result.content.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_content(out, content, features);
    }
    out.push(b']');
    if let Some(structured) = &result.structured {
        write_structured(out, structured, result.is_wrapped, features.structured);
    }
    if result.is_error {
        out.extend_from_slice(b",\"isError\":true");
    }
}

fn write_content(out: &mut Vec<u8>, content: &Content, features: &'static Features) {
    match (&content.kind, &content.extras) {
        // What most tools answer, without the way through `Serialize`.
        (ContentKind::Text(text), None) => {
            out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
            write::json(out, &**text);
            out.push(b'}');
        }
        _ => write::json(out, &For(content, features)),
    }
}

fn write_structured(out: &mut Vec<u8>, value: &RawValue, is_wrapped: bool, allowed: Structured) {
    let is_object = value.get().starts_with('{') && !is_wrapped;
    match allowed {
        Structured::Never => {}
        Structured::Object if !is_object => {
            out.extend_from_slice(b",\"structuredContent\":{\"result\":");
            out.extend_from_slice(value.get().as_bytes());
            out.push(b'}');
        }
        Structured::Object | Structured::Any => {
            out.extend_from_slice(b",\"structuredContent\":");
            out.extend_from_slice(value.get().as_bytes());
        }
    }
}

fn write_prompt(out: &mut Vec<u8>, messages: &Messages, features: &'static Features) {
    if let Some(description) = &messages.description {
        out.extend_from_slice(b"\"description\":");
        write::json(out, description);
        out.push(b',');
    }
    out.extend_from_slice(b"\"messages\":[");
    for (index, message) in messages.messages.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"role\":");
        write::json(out, &message.role);
        out.extend_from_slice(b",\"content\":");
        write_content(out, &message.content, features);
        out.push(b'}');
    }
    out.push(b']');
}
