#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
fn delete(#[ask(7)] confirm: Confirm) {}

fn main() {}
