#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

#[derive(Elicit)]
struct Name {
    name: String,
}

/// Delete a note.
#[tool]
fn delete(#[ask(with = question())] confirm: Confirm) {}

fn question() -> Question<Name> {
    Question::ask("Who?")
}

fn main() {}
