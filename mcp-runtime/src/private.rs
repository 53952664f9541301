//! What expansions call. Not public API: it changes with every release.

use std::time::Duration;

pub use linkme;

pub use serde_json::Value;

pub use crate::handler::arguments::{Arguments, Refused};
pub use crate::handler::ask::{
    Answers, Choice, FieldKind, Form, FormPart, Format, Kept, Refused as Unfit, Slots, ask, chosen,
};
pub use crate::handler::ask::{Defaulted, Described, Read, Underived, Written};
pub use crate::handler::call::{BoxFuture, Call};
pub use crate::handler::output::{PromptReturns, ResourceReturns, Returns, ToolReturns};
pub use crate::handler::param::Param;
pub use crate::handler::param_info::{ParamInfo, Range, alone};
pub use crate::protocol::Role;
pub use crate::registry::entry::{
    CacheScope, Location, PromptEntry, Rate, ResourceEntry, ToolEntry, prompt, resource, tool,
};
pub use crate::registry::link::{MCP_RUNTIME_PROMPTS, MCP_RUNTIME_RESOURCES, MCP_RUNTIME_TOOLS};
pub use crate::schema::{Constraints, Plain};
pub use crate::{__location as location, __reads as reads, __register as register};

/// Where an expansion stands.
#[doc(hidden)]
#[macro_export]
macro_rules! __location {
    () => {
        $crate::__private::Location { file: ::core::file!(), line: ::core::line!(), module: ::core::module_path!() }
    };
}

/// Whether a type derives something that reads attributes of serde, of schemars, or `#[default]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __reads {
    (serde $type:ty) => {
        $crate::__reads!(Written $type) || $crate::__reads!(Read $type) || $crate::__reads!(schemars $type)
    };
    (schemars $type:ty) => { $crate::__reads!(Described $type) };
    (default $type:ty) => { $crate::__reads!(Defaulted $type) };
    ($way:ident $type:ty) => {{
        #[allow(unused_imports, reason = "needed for types without the derive")]
        use $crate::__private::Underived as _;
        $crate::__private::$way::<$type>::IS
    }};
}

/// Whether a text is a duration: `"30s"`, `"500ms"`, `"5m"`, `"2h"`.
#[must_use]
pub const fn is_duration(text: &str) -> bool {
    read_duration(text).is_some()
}

/// What a text says that is a duration.
#[must_use]
pub const fn duration(text: &str) -> Duration {
    // Of another there is a compile error.
    match read_duration(text) {
        Some(duration) => duration,
        None => Duration::ZERO,
    }
}

const fn read_duration(text: &str) -> Option<Duration> {
    let Some((number, unit)) = leading_number(text.as_bytes()) else { return None };
    match unit {
        b"ms" => Some(Duration::from_millis(number)),
        b"s" => Some(Duration::from_secs(number)),
        b"m" => Some(Duration::from_secs(number * 60)),
        b"h" => Some(Duration::from_secs(number * 3600)),
        _ => None,
    }
}

/// Whether a text is a rate: `"10/s"`, `"100/m"`, `"5/h"`.
#[must_use]
pub const fn is_rate(text: &str) -> bool {
    read_rate(text).is_some()
}

/// What a text says that is a rate.
#[must_use]
pub const fn rate(text: &str) -> Rate {
    // Of another there is a compile error.
    match read_rate(text) {
        Some(rate) => rate,
        None => Rate { calls: 1, per: Duration::ZERO },
    }
}

#[expect(clippy::cast_possible_truncation, reason = "there is no fallible conversion in constants")]
const fn read_rate(text: &str) -> Option<Rate> {
    let Some((calls, unit)) = leading_number(text.as_bytes()) else { return None };
    if calls == 0 || calls > u32::MAX as u64 {
        return None;
    }
    let seconds = match unit {
        b"/s" => 1,
        b"/m" => 60,
        b"/h" => 3600,
        _ => return None,
    };
    Some(Rate { calls: calls as u32, per: Duration::from_secs(seconds) })
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
