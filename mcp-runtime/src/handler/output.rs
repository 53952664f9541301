//! Return types: one trait for each kind of handler, and the dictionaries that expansions carry them in.

use std::borrow::Cow;
use std::future::Future;

use bytes::Bytes;
use schemars::JsonSchema;
use serde::Serialize;

use super::call::{Call, Converted, Made, OnThread, Pooled};
use super::ctx::{Ctx, within};
use super::error::{Failure, HandlerError};
use super::prompt::{Messages, PromptMessage};
use super::tool_result::{Json, ToolResult};
use crate::protocol::content::ContentKind;
use crate::protocol::{Audio, Content, EmbeddedResource, Image, ResourceContents, ResourceLink};
use crate::schema::SchemaFn;

/// What a tool may return.
///
/// Text, numbers and `bool` become text; [`Json`] becomes structured content with an output schema; content types and
/// [`ToolResult`] are themselves; `Result` of any of them with an error that displays itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "is not text, a number, content or `Json<…>`",
    note = "return `Json<{Self}>`, with `#[mcp_runtime::data]` on a type of yours, or text"
)]
pub trait ToolOutput: Sized {
    /// The schema of the structured content, if there is any.
    const SCHEMA: Option<SchemaFn> = None;

    #[doc(hidden)]
    const RETURNS: ToolReturns<Self> = Returns { into: Self::into_tool, schema: Self::SCHEMA, mime: None };

    /// The result, or why there is none.
    #[doc(hidden)]
    fn into_tool(self) -> Made<ToolResult>;
}

/// What a resource may return: text, bytes, [`Json`], contents, and `Option` (`None` is "not found") or `Result` of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a resource",
    label = "is not text, bytes, contents or `Json<…>`",
    note = "return `Json<{Self}>`, with `#[mcp_runtime::data]` on a type of yours, or `String`, `Vec<u8>`, `ResourceContents`, or an `Option` or `Result` of one"
)]
pub trait ResourceOutput: Sized {
    /// The media type, where the attribute names none.
    const MIME: Option<&'static str> = None;

    #[doc(hidden)]
    const RETURNS: ResourceReturns<Self> = Returns { into: Self::into_resource, schema: None, mime: Self::MIME };

    /// The contents; `None` when there is no such resource.
    #[doc(hidden)]
    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>>;
}

/// What a prompt may return: `String` (one user message), [`Messages`], a list of messages, and `Result` of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a prompt",
    label = "is not text or messages",
    note = "return `String` for one message of the user, or `Messages`"
)]
pub trait PromptOutput: Sized {
    #[doc(hidden)]
    const RETURNS: PromptReturns<Self> = Returns { into: Self::into_prompt, schema: None, mime: None };

    /// The messages.
    #[doc(hidden)]
    fn into_prompt(self) -> Made<Messages>;
}

/// What [`Json`] may hold in a tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned as JSON: it needs `Serialize` of serde 1 and `JsonSchema` of schemars 1",
    label = "has no `Serialize`, or no `JsonSchema`",
    note = "put `#[mcp_runtime::data]` on the type, and on those inside it"
)]
pub trait JsonOutput: Serialize + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema> JsonOutput for T {}

/// What [`Json`] may hold in a resource.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned as JSON",
    label = "has no `Serialize`",
    note = "put `#[mcp_runtime::data]` on the type, and on those inside it"
)]
pub trait JsonText: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> JsonText for T {}

#[diagnostic::do_not_recommend]
impl ToolOutput for ToolResult {
    fn into_tool(self) -> Made<ToolResult> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl ToolOutput for () {
    fn into_tool(self) -> Made<ToolResult> {
        Ok(ToolResult::new())
    }
}

#[diagnostic::do_not_recommend]
impl ToolOutput for Vec<Content> {
    fn into_tool(self) -> Made<ToolResult> {
        Ok(ToolResult { content: self, ..ToolResult::default() })
    }
}

macro_rules! content_outputs {
    ($($type:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl ToolOutput for $type {
            fn into_tool(self) -> Made<ToolResult> {
                Ok(ToolResult::new().content(self))
            }
        }
    )+};
}

content_outputs!(Content, Image, Audio, ResourceLink, EmbeddedResource);

macro_rules! text_outputs {
    ($($type:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl ToolOutput for $type {
            fn into_tool(self) -> Made<ToolResult> {
                Ok(ToolResult::text(self))
            }
        }
    )+};
}

text_outputs!(String, &'static str, Cow<'static, str>);

macro_rules! displayed_outputs {
    ($($type:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl ToolOutput for $type {
            fn into_tool(self) -> Made<ToolResult> {
                Ok(ToolResult::text(self.to_string()))
            }
        }
    )+};
}

displayed_outputs!(bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

macro_rules! float_outputs {
    ($($type:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl ToolOutput for $type {
            fn into_tool(self) -> Made<ToolResult> {
                // As JSON writes it (`3.0`); what JSON lacks, as Rust does (`NaN`).
                let json = if self.is_finite() { serde_json::to_string(&self).ok() } else { None };
                Ok(ToolResult::text(json.unwrap_or_else(|| self.to_string())))
            }
        }
    )+};
}

float_outputs!(f32, f64);

fn written<T: Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string(value)
        .map_err(|error| Failure::Message(format!("the result cannot be written as JSON: {error}")))
}

impl<T: JsonOutput> ToolOutput for Json<T> {
    const SCHEMA: Option<SchemaFn> = Some(schemars::SchemaGenerator::subschema_for::<T>);

    fn into_tool(self) -> Made<ToolResult> {
        let text = written(&self.0)?;
        // One text serves both: the model reads it, programs parse it.
        let structured = serde_json::value::RawValue::from_string(text.clone()).ok().map(Into::into);
        Ok(ToolResult { structured, ..ToolResult::text(text) })
    }
}

impl<T: ToolOutput, E: HandlerError> ToolOutput for Result<T, E> {
    const SCHEMA: Option<SchemaFn> = T::SCHEMA;

    fn into_tool(self) -> Made<ToolResult> {
        match self {
            Ok(value) => value.into_tool(),
            Err(error) => Err(error.into_failure()),
        }
    }
}

#[diagnostic::do_not_recommend]
impl ResourceOutput for ResourceContents {
    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
        Ok(Some(vec![self]))
    }
}

#[diagnostic::do_not_recommend]
impl ResourceOutput for Vec<ResourceContents> {
    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
        Ok(Some(self))
    }
}

macro_rules! resource_outputs {
    ($($type:ty: $kind:ident, $mime:literal);+) => {$(
        #[diagnostic::do_not_recommend]
        impl ResourceOutput for $type {
            const MIME: Option<&'static str> = Some($mime);

            fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
                ResourceContents::$kind(self).into_resource()
            }
        }
    )+};
}

resource_outputs!(
    String: text, "text/plain";
    &'static str: text, "text/plain";
    Cow<'static, str>: text, "text/plain";
    Vec<u8>: blob, "application/octet-stream";
    &'static [u8]: blob, "application/octet-stream";
    Bytes: blob, "application/octet-stream"
);

#[diagnostic::do_not_recommend]
impl<const N: usize> ResourceOutput for &'static [u8; N] {
    const MIME: Option<&'static str> = <&[u8] as ResourceOutput>::MIME;

    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
        self.as_slice().into_resource()
    }
}

impl<T: JsonText> ResourceOutput for Json<T> {
    const MIME: Option<&'static str> = Some("application/json");

    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
        ResourceContents::text(written(&self.0)?).into_resource()
    }
}

impl<T: ResourceOutput> ResourceOutput for Option<T> {
    const MIME: Option<&'static str> = T::MIME;

    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
        self.map_or(Ok(None), T::into_resource)
    }
}

impl<T: ResourceOutput, E: HandlerError> ResourceOutput for Result<T, E> {
    const MIME: Option<&'static str> = T::MIME;

    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
        match self {
            Ok(value) => value.into_resource(),
            Err(error) => Err(error.into_failure()),
        }
    }
}

#[diagnostic::do_not_recommend]
impl PromptOutput for Messages {
    fn into_prompt(self) -> Made<Messages> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl PromptOutput for Vec<PromptMessage> {
    fn into_prompt(self) -> Made<Messages> {
        Ok(Messages { description: None, messages: self })
    }
}

macro_rules! prompt_texts {
    ($($type:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl PromptOutput for $type {
            fn into_prompt(self) -> Made<Messages> {
                Ok(Messages::user(Content::from(ContentKind::Text(self.into()))))
            }
        }
    )+};
}

prompt_texts!(String, &'static str, Cow<'static, str>);

impl<T: PromptOutput, E: HandlerError> PromptOutput for Result<T, E> {
    fn into_prompt(self) -> Made<Messages> {
        match self {
            Ok(value) => value.into_prompt(),
            Err(error) => Err(error.into_failure()),
        }
    }
}

/// How a handler's return type becomes a reply: the bound is met where this is made, its methods have none.
pub struct Returns<R, M: 'static> {
    into: fn(R) -> Made<M>,
    schema: Option<SchemaFn>,
    mime: Option<&'static str>,
}

impl<R, M> std::fmt::Debug for Returns<R, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Returns")
    }
}

impl<R, M> Clone for Returns<R, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, M> Copy for Returns<R, M> {}

/// What a tool returns.
pub type ToolReturns<R> = Returns<R, ToolResult>;
/// What a resource returns.
pub type ResourceReturns<R> = Returns<R, Option<Vec<ResourceContents>>>;
/// What a prompt returns.
pub type PromptReturns<R> = Returns<R, Messages>;

impl<R, M> Returns<R, M> {
    /// The schema of the structured content.
    #[must_use]
    pub const fn output(&self) -> Option<SchemaFn> {
        self.schema
    }

    /// The media type that goes with the type.
    #[must_use]
    pub const fn mime(&self) -> Option<&'static str> {
        self.mime
    }

    /// A synchronous handler has returned.
    pub fn done<'c>(&self, value: R) -> Call<'c, M> {
        Call::Done((self.into)(value))
    }

    /// An asynchronous handler has begun.
    pub fn run<'c, F: Future<Output = R> + Send + 'c>(&self, future: F) -> Call<'c, M>
    where
        R: 'c,
    {
        Call::Future(Box::pin(Converted::new(future, self.into)))
    }

    /// A synchronous handler moves to the blocking pool. Cancelled, its thread runs on and its reply is dropped; one that has no
    /// thread yet does not begin.
    pub fn blocking<'c, F>(&self, ctx: &Ctx, body: F) -> Call<'c, M>
    where
        F: FnOnce(&Ctx) -> R + Send + 'static,
        M: Send,
        R: 'static,
    {
        let ctx = ctx.clone();
        let into = self.into;
        Call::Future(Box::pin(async move {
            let running = OnThread::begin(&ctx.call);
            let on_thread = move || {
                let _running = running;
                within(&ctx.call, || into(body(&ctx)))
            };
            match Pooled(tokio::task::spawn_blocking(on_thread)).await {
                Ok(made) => made,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(error) => Err(Failure::Message(format!("the call was stopped: {error}"))),
                },
            }
        }))
    }
}
