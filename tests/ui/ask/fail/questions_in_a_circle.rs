#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
fn delete(#[ask(with = after(second))] first: Confirm, #[ask(with = after(first))] second: Confirm) {}

fn after(_: &Confirm) -> Question<Confirm> {
    Question::ask("Really?")
}

fn main() {}
