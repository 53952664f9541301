//! What a tool call gives: content for the model, structured content for programs.

use std::sync::Arc;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::protocol::{Content, IntoText, ToJson};

/// The result of a tool call, see <https://modelcontextprotocol.io/specification/draft/server/tools#tool-result>.
#[derive(Clone, Debug, Default)]
pub struct ToolResult {
    pub(crate) content: Vec<Content>,
    pub(crate) structured: Option<Arc<RawValue>>,
    pub(crate) is_error: bool,
    /// Set when the output schema allows more than objects: then even an object stands in a `result` where a revision
    /// knows objects only, as the schema that it was sent says.
    pub(crate) is_wrapped: bool,
    pub(crate) meta: Option<Box<Map<String, Value>>>,
}

impl ToolResult {
    /// A result without content.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A result that is one text.
    pub fn text(text: impl IntoText) -> Self {
        Self { content: vec![Content::text(text)], ..Self::default() }
    }

    /// An error that the model reads and can correct itself from.
    pub fn error(content: impl Into<Content>) -> Self {
        Self { content: vec![content.into()], is_error: true, ..Self::default() }
    }

    /// Adds a block of content.
    #[must_use]
    pub fn content(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Sets the structured content (sent from 2025-06-18; before 2026-07-28 only objects exist).
    ///
    /// # Errors
    ///
    /// When `value` can't be written as JSON.
    pub fn structured(mut self, value: &impl ToJson) -> serde_json::Result<Self> {
        self.structured = Some(value.to_raw_value()?.into());
        Ok(self)
    }

    /// Adds a member to `_meta`; the key is `prefix/name` with a prefix of your own.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }
}

/// A value that is sent as JSON: structured content and an output schema from a tool, a JSON document from a resource.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[mcp_runtime::data]
/// struct Sum {
///     total: i64,
/// }
///
/// /// Add two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> Json<Sum> {
///     Json(Sum { total: a + b })
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);
