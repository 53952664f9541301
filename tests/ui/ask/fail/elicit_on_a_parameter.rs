#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

fn really() -> Question<Confirm> {
    Question::ask("Really?")
}

/// Delete notes.
#[tool]
fn delete(#[elicit("Really?")] confirm: Confirm) {}

fn main() {}
