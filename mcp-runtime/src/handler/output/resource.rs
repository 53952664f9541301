//! What a resource may return, and how it becomes contents.

use std::borrow::Cow;
use std::convert::Infallible;

use bytes::Bytes;

use super::returns::{ResourceReturns, Returns};
use super::{JsonText, consists, position, written};
use crate::handler::call::Made;
use crate::handler::error::HandlerError;
use crate::handler::tool_result::Json;
use crate::protocol::ResourceContents;

position! {
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be returned from a resource",
        label = "is not text, bytes, contents or `Json<…>`",
        note = "data is returned as `mcp_runtime::Json<{Self}>`, with no `Json` inside and `#[mcp_runtime::data]` on a type of yours; anything else as `String`, `Vec<u8>` or `ResourceContents`"
    )]
    /// What a resource may return.
    ///
    /// * Text (`String`, `&'static str`, `Cow<'static, str>`) and bytes (`Vec<u8>`, [`Bytes`], `&'static [u8]`,
    ///   `include_bytes!(…)`).
    /// * [`Json<T>`](crate::Json), where `T` is `Serialize`.
    /// * [`ResourceContents`](crate::ResourceContents), and `Vec<ResourceContents>`.
    /// * An `Option` of any of them, where `None` is "not found", or a `Result`, with an error that displays itself.
    pub trait ResourceOutput by ResourceValue {
        /// The media type, where the attribute names none.
        const MIME: Option<&'static str> = None;

        #[doc(hidden)]
        const RETURNS: ResourceReturns<Self> = Returns::new(Self::into_resource, None, Self::MIME);

        /// The contents; `None` when there is no such resource.
        #[doc(hidden)]
        fn into_resource(self) -> Made<Option<Vec<ResourceContents>>>;
    }
}

impl<R> ResourceOutput for R
where
    R: ResourceValue<
            Data: JsonText,
            Error: HandlerError,
            Inner: ResourceValue<Data: JsonText, Error: HandlerError, Inner: ResourceValue<Data: JsonText>>,
        >,
    R::Itself: ResourceReply,
{
    const MIME: Option<&'static str> = <R::Itself as ResourceReply>::MIME;

    fn into_resource(self) -> Made<Option<Vec<ResourceContents>>> {
        self.itself().into_reply()
    }
}

/// How a resource's value becomes contents. What lacks here is told by the bounds of [`ResourceOutput`].
#[doc(hidden)]
pub trait ResourceReply {
    const MIME: Option<&'static str> = None;

    fn into_reply(self) -> Made<Option<Vec<ResourceContents>>>;
}

macro_rules! replies {
    ($([$($generics:tt)*] $type:ty, $mime:expr => |$value:ident| $contents:expr;)+) => {$(
        consists!([$($generics)*] $type: ResourceValue);

        impl<$($generics)*> ResourceReply for $type {
            const MIME: Option<&'static str> = $mime;

            fn into_reply(self) -> Made<Option<Vec<ResourceContents>>> {
                let $value = self;
                Ok(Some($contents))
            }
        }
    )+};
}

const TEXT: Option<&str> = Some("text/plain");
const BYTES: Option<&str> = Some("application/octet-stream");

replies! {
    [] ResourceContents, None => |contents| vec![contents];
    [] Vec<ResourceContents>, None => |contents| contents;
    [] String, TEXT => |text| vec![ResourceContents::text(text)];
    [] &'static str, TEXT => |text| vec![ResourceContents::text(text)];
    [] Cow<'static, str>, TEXT => |text| vec![ResourceContents::text(text)];
    [] Vec<u8>, BYTES => |bytes| vec![ResourceContents::blob(bytes)];
    [] Bytes, BYTES => |bytes| vec![ResourceContents::blob(bytes)];
    [] &'static [u8], BYTES => |bytes| vec![ResourceContents::blob(bytes)];
    [const N: usize] &'static [u8; N], BYTES => |bytes| vec![ResourceContents::blob(bytes.as_slice())];
}

consists!([T] Json<T>: ResourceValue, Self, Infallible, T);

impl<T: JsonText> ResourceReply for Json<T> {
    const MIME: Option<&'static str> = Some("application/json");

    fn into_reply(self) -> Made<Option<Vec<ResourceContents>>> {
        Ok(Some(vec![ResourceContents::text(written(&self.0)?)]))
    }
}

consists!([T] Option<T>: ResourceValue, T, Infallible, ());

impl<T: ResourceValue<Itself: ResourceReply>> ResourceReply for Option<T> {
    const MIME: Option<&'static str> = <T::Itself as ResourceReply>::MIME;

    fn into_reply(self) -> Made<Option<Vec<ResourceContents>>> {
        self.map_or(Ok(None), |value| value.itself().into_reply())
    }
}

consists!([T, E] Result<T, E>: ResourceValue, T, E, ());

impl<T: ResourceValue<Itself: ResourceReply>, E: HandlerError> ResourceReply for Result<T, E> {
    const MIME: Option<&'static str> = <T::Itself as ResourceReply>::MIME;

    fn into_reply(self) -> Made<Option<Vec<ResourceContents>>> {
        match self {
            Ok(value) => value.itself().into_reply(),
            Err(error) => Err(error.into_failure()),
        }
    }
}
