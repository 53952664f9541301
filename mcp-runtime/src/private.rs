//! What expansions call. Not public API: it changes with every release.

use std::time::Duration;

pub use linkme;

pub use serde_json::Value;

pub use crate::handler::arguments::{Arguments, Refused};
pub use crate::handler::ask::{
    Answers, Choice, FieldKind, Form, FormPart, Format, Refused as Unfit, Slots, ask, chosen,
};
pub use crate::handler::call::{BoxFuture, Call};
pub use crate::handler::output::{PromptReturns, ResourceReturns, ToolReturns};
pub use crate::handler::param::Param;
pub use crate::handler::param_info::{ParamInfo, Range, alone};
pub use crate::handler::plain::{AnyType, TypeOf};
pub use crate::protocol::Role;
pub use crate::registry::entry::{
    CacheScope, Location, PromptEntry, Rate, ResourceEntry, ToolEntry, prompt, resource, tool,
};
pub use crate::registry::link::{MCP_RUNTIME_PROMPTS, MCP_RUNTIME_RESOURCES, MCP_RUNTIME_TOOLS};
pub use crate::schema::{Constraints, Plain};
pub use crate::{__expanded_by as expanded_by, __location as location, __plain as plain, __register as register};

/// Where an expansion stands.
#[doc(hidden)]
#[macro_export]
macro_rules! __location {
    () => {
        $crate::__private::Location { file: ::core::file!(), line: ::core::line!(), module: ::core::module_path!() }
    };
}

/// What is known of a type as data, if it is plain: by its own `PLAIN`, or else by that which all types have.
#[doc(hidden)]
#[macro_export]
macro_rules! __plain {
    ($type:ty) => {{
        #[allow(unused_imports, reason = "needed for types that are not plain")]
        use $crate::__private::AnyType as _;
        $crate::__private::TypeOf::<$type>::PLAIN
    }};
}

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

/// `"30s"`, `"500ms"`, `"5m"`, `"2h"`.
///
/// # Panics
///
/// When the text is no duration; in a constant, which it always is, that is a compile error.
#[must_use]
#[expect(clippy::panic, reason = "evaluated at compile time")]
#[track_caller]
pub const fn duration(text: &str) -> Duration {
    let bytes = text.as_bytes();
    let Some((number, unit)) = leading_number(bytes) else {
        panic!("a duration is a number and a unit: `30s`, `500ms`, `5m`, `2h`")
    };
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
#[track_caller]
pub const fn rate(text: &str) -> Rate {
    let Some((calls, unit)) = leading_number(text.as_bytes()) else {
        panic!("a rate is a number and a unit: `10/s`, `100/m`, `5/h`")
    };
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
