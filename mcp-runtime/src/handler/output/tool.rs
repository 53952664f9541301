//! What a tool may return, and how it becomes a result.

use std::borrow::Cow;
use std::convert::Infallible;

use super::returns::{Returns, ToolReturns};
use super::{JsonOutput, consists, position, written};
use crate::handler::call::Made;
use crate::handler::error::HandlerError;
use crate::handler::tool_result::{Json, ToolResult};
use crate::protocol::{Audio, Content, EmbeddedResource, Image, ResourceLink};
use crate::schema::SchemaFn;

position! {
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be returned from a tool",
        label = "is not text, a number, content or `Json<…>`",
        note = "data is returned as `mcp_runtime::Json<{Self}>`, with no `Json` inside and `#[mcp_runtime::data]` on a type of yours; several contents as `Vec<Content>`"
    )]
    /// What a tool may return.
    ///
    /// * Nothing; text (`String`, `&'static str`, `Cow<'static, str>`), numbers and `bool`, which become text.
    /// * [`Json<T>`](crate::Json): structured content with an output schema, where `T` has
    ///   [`#[mcp_runtime::data]`](macro@crate::data).
    /// * [`Content`](crate::Content), [`Image`](crate::Image), [`Audio`](crate::Audio), [`ResourceLink`](crate::ResourceLink),
    ///   [`EmbeddedResource`](crate::EmbeddedResource), `Vec<Content>`, and [`ToolResult`](crate::ToolResult).
    /// * A `Result` of any of them, with an error that displays itself.
    pub trait ToolOutput by ToolValue {
        /// The schema of the structured content, if there is any.
        const SCHEMA: Option<SchemaFn> = None;

        #[doc(hidden)]
        const RETURNS: ToolReturns<Self> = Returns::new(Self::into_tool, Self::SCHEMA, None);

        /// The result, or why there is none.
        #[doc(hidden)]
        fn into_tool(self) -> Made<ToolResult>;
    }
}

impl<R> ToolOutput for R
where
    R: ToolValue<Data: JsonOutput, Error: HandlerError, Inner: ToolValue<Data: JsonOutput>>,
    R::Itself: ToolReply,
{
    const SCHEMA: Option<SchemaFn> = <R::Itself as ToolReply>::SCHEMA;

    fn into_tool(self) -> Made<ToolResult> {
        self.itself().into_reply()
    }
}

/// How a tool's value becomes its result. What lacks here is told by the bounds of [`ToolOutput`].
#[doc(hidden)]
pub trait ToolReply {
    const SCHEMA: Option<SchemaFn> = None;

    fn into_reply(self) -> Made<ToolResult>;
}

macro_rules! replies {
    ($($($type:ty),+ => |$value:ident| $result:expr;)+) => {$($(
        consists!([] $type: ToolValue);

        impl ToolReply for $type {
            fn into_reply(self) -> Made<ToolResult> {
                let $value = self;
                Ok($result)
            }
        }
    )+)+};
}

replies! {
    ToolResult => |result| result;
    () => |_nothing| ToolResult::new();
    Vec<Content> => |content| ToolResult { content, ..ToolResult::default() };
    Content, Image, Audio, ResourceLink, EmbeddedResource => |content| ToolResult::new().content(content);
    String, &'static str, Cow<'static, str> => |text| ToolResult::text(text);
    bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize => |value| ToolResult::text(value.to_string());
    // As JSON writes it (`3.0`); what JSON lacks, as Rust does (`NaN`).
    f32, f64 => |value| ToolResult::text(if value.is_finite() { written(&value)? } else { value.to_string() });
}

consists!([T] Json<T>: ToolValue, Self, Infallible, T);

impl<T: JsonOutput> ToolReply for Json<T> {
    const SCHEMA: Option<SchemaFn> = Some(schemars::SchemaGenerator::subschema_for::<T>);

    fn into_reply(self) -> Made<ToolResult> {
        let text = written(&self.0)?;
        // One text serves both: the model reads it, programs parse it.
        let structured = serde_json::value::RawValue::from_string(text.clone()).ok().map(Into::into);
        Ok(ToolResult { structured, ..ToolResult::text(text) })
    }
}

consists!([T, E] Result<T, E>: ToolValue, T, E, ());

impl<T: ToolValue<Itself: ToolReply>, E: HandlerError> ToolReply for Result<T, E> {
    const SCHEMA: Option<SchemaFn> = <T::Itself as ToolReply>::SCHEMA;

    fn into_reply(self) -> Made<ToolResult> {
        match self {
            Ok(value) => value.itself().into_reply(),
            Err(error) => Err(error.into_failure()),
        }
    }
}
