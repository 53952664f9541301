//! Tests across the two crates.

/// Compiles and runs the README's programs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
