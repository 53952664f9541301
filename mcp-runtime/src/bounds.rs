//! The traits at which expansions meet an author's functions and values: one for each position, with the words for a misfit.
//!
//! Not public API. Apart from `__private`, because compile errors name these traits.

mod known;

use std::future::Future;

pub use self::known::{
    DurationText, FieldWithBounds, FieldWithDefault, FieldWithEnumNames, FieldWithFormat, FieldWithLength,
    FieldWithRange, Is, RateText, ReadByDefault, ReadBySchemars, ReadBySerde, WholeArguments,
};
pub use crate::__expanded_by as expanded_by;
pub use crate::handler::ask::{Attempt, Awaited, IntoQuestion, Keep, Now, OrError, Remembered};
use crate::handler::call::BoxFuture;
use crate::handler::completion::CompletionContext;
use crate::handler::ctx::Ctx;
use crate::handler::error::{Failure, HandlerError};
pub use crate::handler::output::{JsonOutput, JsonText, Moves, PromptValue, ResourceValue, Runs, ToolValue};
pub use crate::handler::parameter::FromText;
use crate::protocol::Icon;
pub use crate::protocol::ToJson;
pub use crate::registry::define::{Captures, Definition, IsFuture};
pub use crate::registry::list::{IntoList, ListFunction};
pub use crate::schema::{DataField, DefaultField, DefaultOf, FieldOf, FieldType, FixedDataField, FixedFieldOf};

/// One clear error, and nothing of the expansion, when the two crates are of different versions.
#[doc(hidden)]
#[macro_export]
macro_rules! __expanded_by {
    ("0.1.0" $($expansion:tt)*) => { $($expansion)* };
    ($version:literal $($expansion:tt)*) => {
        ::core::compile_error!(::core::concat!(
            "mcp-macros ",
            $version,
            " does not go with mcp-runtime 0.1.0\ndepend on mcp-runtime alone: it brings the macros that fit"
        ));
    };
}

/// What a handler may borrow: the context, by whatever name.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` is not the context",
    label = "only `&mcp_runtime::Ctx` is borrowed",
    note = "what the server shares is `State<{Self}>`; what the client sends is owned: `{Self}`"
)]
pub trait IsContext {
    /// The context itself.
    fn of(ctx: &Ctx) -> &Self;
}

#[diagnostic::do_not_recommend]
impl IsContext for Ctx {
    fn of(ctx: &Ctx) -> &Self {
        ctx
    }
}

/// What `icon = …` may be: a URL, or the bytes of an image.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an icon",
    label = "is neither a URL nor the bytes of an image",
    note = "write a URL, or `include_bytes!(\"icon.png\")`"
)]
pub trait IntoIcon {
    /// The icon.
    fn into_icon(self) -> Icon;
}

#[diagnostic::do_not_recommend]
impl IntoIcon for &'static str {
    fn into_icon(self) -> Icon {
        Icon::new(self)
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> IntoIcon for &'static [u8; N] {
    fn into_icon(self) -> Icon {
        self.as_slice().into_icon()
    }
}

#[diagnostic::do_not_recommend]
impl IntoIcon for &'static [u8] {
    fn into_icon(self) -> Icon {
        let mime = match self {
            [0x89, b'P', b'N', b'G', ..] => "image/png",
            [0xff, 0xd8, ..] => "image/jpeg",
            [b'G', b'I', b'F', ..] => "image/gif",
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
            _ => "image/svg+xml",
        };
        Icon::from_bytes(self, mime)
    }
}

#[diagnostic::do_not_recommend]
impl IntoIcon for Icon {
    fn into_icon(self) -> Icon {
        self
    }
}

/// What `complete = …` names, with or without the context; `M` only keeps the cases apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not complete an argument",
    label = "is not `fn(&str, &CompletionContext) -> Vec<String>`",
    note = "take both or the text alone, and return anything that gives strings, or a `Result` of it whose error has `Display`, from a `fn`, or an `async fn` whose future is `Send`"
)]
pub trait CompleteFunction<'c, M> {
    /// The candidates.
    fn complete(self, partial: &'c str, ctx: &'c CompletionContext) -> BoxFuture<'c, Result<Vec<String>, Failure>>;
}

#[derive(Debug)]
pub struct OfText<M>(M);
#[derive(Debug)]
pub struct WithContext<M>(M);

#[diagnostic::do_not_recommend]
impl<'c, F, R, M> CompleteFunction<'c, OfText<M>> for F
where
    F: FnOnce(&'c str) -> R,
    R: IntoCompletions<'c, M>,
{
    fn complete(self, partial: &'c str, _: &'c CompletionContext) -> BoxFuture<'c, Result<Vec<String>, Failure>> {
        self(partial).into_completions()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, F, R, M> CompleteFunction<'c, WithContext<M>> for F
where
    F: FnOnce(&'c str, &'c CompletionContext) -> R,
    R: IntoCompletions<'c, M>,
{
    fn complete(self, partial: &'c str, ctx: &'c CompletionContext) -> BoxFuture<'c, Result<Vec<String>, Failure>> {
        self(partial, ctx).into_completions()
    }
}

/// Strings, a `Result` of them, now or later; `M` only keeps the cases apart.
pub trait IntoCompletions<'c, M> {
    /// The candidates.
    fn into_completions(self) -> BoxFuture<'c, Result<Vec<String>, Failure>>;
}

#[derive(Debug)]
pub struct Plain;
#[derive(Debug)]
pub struct Fallible<M>(M);
#[derive(Debug)]
pub struct Later<M>(M);

#[diagnostic::do_not_recommend]
impl<'c, T> IntoCompletions<'c, Plain> for T
where
    T: IntoIterator,
    T::Item: Into<String>,
{
    fn into_completions(self) -> BoxFuture<'c, Result<Vec<String>, Failure>> {
        Box::pin(std::future::ready(Ok(self.into_iter().map(Into::into).collect())))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, T, E> IntoCompletions<'c, Fallible<E>> for Result<T, E>
where
    T: IntoIterator,
    T::Item: Into<String>,
    E: HandlerError,
{
    fn into_completions(self) -> BoxFuture<'c, Result<Vec<String>, Failure>> {
        let values = self.map_err(HandlerError::into_failure);
        Box::pin(std::future::ready(values.map(|values| values.into_iter().map(Into::into).collect())))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, F, M> IntoCompletions<'c, Later<M>> for F
where
    F: Future + Send + 'c,
    F::Output: IntoCompletions<'c, M>,
{
    fn into_completions(self) -> BoxFuture<'c, Result<Vec<String>, Failure>> {
        Box::pin(async move {
            let values = self.await.into_completions();
            values.await
        })
    }
}
