//! What a handler sees and what becomes of it: `Ctx`, parameters, return types, errors.
//!
//! It knows the server only through two small traits, [`host::Host`] and [`host::Outlet`].

mod absent;
mod alarm;
pub(crate) mod amount;
pub(crate) mod arguments;
pub(crate) mod ask;
pub(crate) mod call;
pub(crate) mod cancel;
pub(crate) mod client;
pub(crate) mod coming;
pub(crate) mod completion;
pub(crate) mod ctx;
#[cfg(feature = "tracing")]
pub(crate) mod current;
pub(crate) mod error;
pub(crate) mod extract;
mod given;
pub(crate) mod host;
#[cfg(feature = "http")]
pub(crate) mod http;
pub(crate) mod log;
pub(crate) mod output;
#[cfg_attr(not(any(feature = "stdio", feature = "http")), expect(dead_code, reason = "only transports look at it"))]
pub(crate) mod pace;
pub(crate) mod param;
pub(crate) mod param_info;
pub(crate) mod parameter;
pub(crate) mod plain;
pub(crate) mod prepare;
pub(crate) mod progress;
pub(crate) mod prompt;
pub(crate) mod tool_result;
pub(crate) mod uri;
