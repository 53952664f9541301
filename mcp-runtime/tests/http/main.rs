//! The server over HTTP, seen from outside.

#![expect(
    unreachable_pub,
    clippy::needless_pass_by_value,
    reason = "a client is written by its callers: modules and values as they come"
)]

mod asking;
mod attacks;
mod bad_input;
mod batches;
mod blocking;
mod checks;
mod client;
mod codes;
mod legacy;
mod lists;
mod modern;
mod mounted;
mod noise;
mod page;
mod places;
mod principals;
mod process;
mod refusals;
mod server;
mod signals;
mod streams;
mod subscriptions;
mod two_routes;
mod urls;
