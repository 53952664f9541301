#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
fn delete(#[ask(with = question)] confirm: Confirm) {}

fn question() -> Question<Confirm> {
    Question::ask("Really?")
}

fn main() {}
