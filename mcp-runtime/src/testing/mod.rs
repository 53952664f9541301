//! Testing a server in memory, on any revision (feature `testing`).

mod client;
mod ctx;

pub use client::{CallOutcome, Client, ClientBuilder, ClientError, Pending};
pub use ctx::Ctx;
