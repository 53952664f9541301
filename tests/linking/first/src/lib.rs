//! A library of handlers, none of them public: they are there as soon as a program names the crate.

use mcp_runtime::prelude::*;

/// State that only this library knows.
#[derive(Debug)]
pub struct Notes;

mod deep {
    mod down {
        /// In a private module of a private module.
        #[mcp_runtime::tool]
        fn private_tool() -> &'static str {
            "private"
        }
    }

    /// Twice, in two crates.
    #[mcp_runtime::tool]
    fn twice() -> &'static str {
        "first"
    }
}

/// A prompt that is there twice.
#[prompt]
fn greet() -> String {
    "first".into()
}

/// A resource that is there twice.
#[resource("linking://{id}")]
fn linked(id: String) -> String {
    id
}

/// Wants state.
#[tool(group = "stateful")]
fn with_notes(notes: State<Notes>) {
    let _: &Notes = &notes;
}

/// Wants the same state.
#[resource("stateful://notes", group = "stateful")]
fn notes(notes: State<Notes>) -> String {
    let _: &Notes = &notes;
    String::new()
}
