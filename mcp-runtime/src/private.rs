//! What expansions call. Not public API: it changes with every release.

use std::time::Duration;

use serde::Serialize;
pub use linkme;

pub use serde_json::Value;

pub use crate::handler::ask::{
    Answers, AskFn, AskStep, Choice, FieldKind, Form, FormPart, Format, Kept, Refused as Unfit, Slots, answer, ask_text, ask_with, chosen, field,
};
pub use crate::handler::arguments::{Arguments, Refused};
pub use crate::handler::call::{BoxFuture, Call};
pub use crate::handler::error::Failure;
pub use crate::handler::output::{
    PromptReturns, ResourceReturns, ToolReturns, prompt_returns, resource_returns, tool_returns,
};
pub use crate::handler::param::{Param, ParamInfo, Range, alone, from_context, from_str, param, provided};
pub use crate::protocol::{Icon, Role};
pub use crate::registry::entry::{
    CacheScope, Location, PromptEntry, Rate, ResourceEntry, ToolEntry, prompt, resource, tool,
};
pub use crate::registry::link::{MCP_RUNTIME_PROMPTS, MCP_RUNTIME_RESOURCES, MCP_RUNTIME_TOOLS};
pub use crate::registry::list::list_fn;
pub use crate::{__expanded_by as expanded_by, __location as location, __register as register};

/// Where an expansion stands.
#[doc(hidden)]
#[macro_export]
macro_rules! __location {
    () => {
        $crate::__private::Location {
            file: ::core::file!(),
            line: ::core::line!(),
            module: ::core::module_path!(),
        }
    };
}

/// One clear error when the two crates are of different versions.
#[doc(hidden)]
#[macro_export]
macro_rules! __expanded_by {
    ("0.1.0") => {};
    ($version:literal) => {
        ::core::compile_error!(::core::concat!(
            "mcp-macros ",
            $version,
            " does not go with mcp-runtime 0.1.0\ndepend on mcp-runtime alone: it brings the macros that fit"
        ));
    };
}

/// Any value as JSON; what cannot be written is `null`, which the check of a default refuses.
pub fn json<T: Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// `"30s"`, `"500ms"`, `"5m"`, `"2h"`.
///
/// # Panics
///
/// When the text is no duration; in a constant, which it always is, that is a compile error.
#[must_use]
#[expect(clippy::panic, reason = "evaluated at compile time")]
pub const fn duration(text: &str) -> Duration {
    let bytes = text.as_bytes();
    let Some((number, unit)) = leading_number(bytes) else { panic!("a duration is a number and a unit: `30s`, `500ms`, `5m`, `2h`") };
    match unit {
        b"ms" => Duration::from_millis(number),
        b"s" => Duration::from_secs(number),
        b"m" => Duration::from_secs(number * 60),
        b"h" => Duration::from_secs(number * 3600),
        _ => panic!("a duration ends in `ms`, `s`, `m` or `h`"),
    }
}

/// `"10/s"`, `"100/m"`, `"5/h"`.
///
/// # Panics
///
/// When the text is no rate; in a constant, which it always is, that is a compile error.
#[must_use]
#[expect(clippy::panic, clippy::cast_possible_truncation, reason = "evaluated at compile time")]
pub const fn rate(text: &str) -> Rate {
    let Some((calls, unit)) = leading_number(text.as_bytes()) else { panic!("a rate is a number and a unit: `10/s`, `100/m`, `5/h`") };
    assert!(calls > 0 && calls <= u32::MAX as u64, "a rate is at least 1");
    let seconds = match unit {
        b"/s" => 1,
        b"/m" => 60,
        b"/h" => 3600,
        _ => panic!("a rate ends in `/s`, `/m` or `/h`"),
    };
    Rate { calls: calls as u32, per: Duration::from_secs(seconds) }
}

const fn leading_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (mut number, mut rest, mut digits) = (0u64, bytes, 0);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        if digits == 15 {
            return None;
        }
        number = number * 10 + (*digit - b'0') as u64;
        digits += 1;
        rest = after;
    }
    if digits == 0 { None } else { Some((number, rest)) }
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

impl IntoIcon for &'static str {
    fn into_icon(self) -> Icon {
        Icon::new(self)
    }
}

impl<const N: usize> IntoIcon for &'static [u8; N] {
    fn into_icon(self) -> Icon {
        self.as_slice().into_icon()
    }
}

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

impl IntoIcon for Icon {
    fn into_icon(self) -> Icon {
        self
    }
}

/// Makes the icon that `icon = …` names.
pub fn icon(icon: impl IntoIcon) -> Icon {
    icon.into_icon()
}

mod completions {
    use std::future::Future;

    use super::{BoxFuture, Failure};
    use crate::handler::error::HandlerError;

    /// Strings, a `Result` of them, now or later; `M` only keeps the cases apart.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not give candidates for an argument",
        label = "is not a list of strings",
        note = "write `fn(partial: &str, ctx: &CompletionContext) -> Vec<String>`, async or not"
    )]
    pub trait IntoCompletions<'c, M> {
        fn into_completions(self) -> BoxFuture<'c, Result<Vec<String>, Failure>>;
    }

    #[derive(Debug)]
    pub struct Plain;
    #[derive(Debug)]
    pub struct Fallible<M>(M);
    #[derive(Debug)]
    pub struct Later<M>(M);

    impl<'c, T> IntoCompletions<'c, Plain> for T
    where
        T: IntoIterator,
        T::Item: Into<String>,
    {
        fn into_completions(self) -> BoxFuture<'c, Result<Vec<String>, Failure>> {
            Box::pin(std::future::ready(Ok(self.into_iter().map(Into::into).collect())))
        }
    }

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
}

/// The candidates that a completion function gave.
pub fn completions<'c, M>(given: impl completions::IntoCompletions<'c, M>) -> BoxFuture<'c, Result<Vec<String>, Failure>> {
    given.into_completions()
}
