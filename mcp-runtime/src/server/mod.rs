//! The server: what it offers and how it answers, in both eras; no I/O.
//!
//! [`legacy`] and [`modern`] are the only modules that know an era: each has its method table and its projection of results.

pub(crate) mod ask;
mod builder;
pub(crate) mod built;
pub(crate) mod call;
pub(crate) mod connection;
pub(crate) mod core;
#[cfg(feature = "http")]
pub(crate) mod endpoint;
pub(crate) mod exchange;
pub(crate) mod flights;
mod handle;
mod hook;
pub(crate) mod job;
pub(crate) mod legacy;
pub(crate) mod modern;
pub(crate) mod operation;
pub(crate) mod outbox;
pub(crate) mod reply;
#[cfg(feature = "http")]
pub(crate) mod seal;

pub use builder::Server;
pub use built::{BuiltServer, IntoBuilt};
pub use handle::{PromptsHandle, ResourcesHandle, ServerHandle, ToolsHandle};
pub use hook::{CallInfo, CallKind, Next, Outcome};
