//! Testing a server in memory, on any revision (feature `testing`).

mod answers;
mod client;
mod ctx;

pub use answers::{Asked, Reply};
pub use client::{CallOutcome, Client, ClientBuilder, ClientError, Pending};
pub use ctx::Ctx;
