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
fn delete(#[ask(whith = really())] confirm: Confirm) {}

fn main() {}
