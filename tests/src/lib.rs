//! Tests across the two crates.
