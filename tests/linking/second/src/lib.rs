//! Another library, with some of the same names.

use mcp_runtime::prelude::*;

/// Twice, in two crates.
#[tool]
fn twice() -> &'static str {
    "second"
}

/// A prompt that is there twice.
#[prompt]
fn greet() -> String {
    "second".into()
}

/// A resource that is there twice.
#[resource("linking://{id}")]
fn linked(id: String) -> String {
    id
}

/// Matches what the other one matches.
#[resource("linking://{name}")]
fn ambiguous(name: String) -> String {
    name
}
