//! The server over HTTP, seen from outside.

#![expect(missing_docs, reason = "tests")]
#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it must be")]

mod bad_input;
mod client;
mod legacy;
mod modern;
mod mounted;
mod server;
mod streams;
mod two_routes;
