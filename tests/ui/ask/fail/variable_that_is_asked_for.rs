#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

fn really() -> Question<Confirm> {
    Question::ask("Really?")
}

/// A note.
#[resource("note://{confirm}")]
fn note(#[ask("Really?")] confirm: Confirm) -> String {
    String::new()
}

fn main() {}
