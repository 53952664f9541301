#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
fn delete(id: u32, #[ask(with = question(id))] confirm: Confirm) {}

fn question(id: u32) -> Question<Confirm> {
    Question::ask(id.to_string())
}

fn main() {}
