//! What the tests across the two crates share: a server as a child process, and a client of any revision that talks to it.

mod process;
mod session;
mod strict_subset;

pub use process::{Errors, Link, Process, Silent};
pub use session::{Revision, Session};
pub use strict_subset::outside_of_strict_subset;

/// Compiles and runs the README's programs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
