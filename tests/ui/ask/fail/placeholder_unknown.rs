#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
fn delete(id: u32, #[ask("Really delete {idd}?")] confirm: Confirm) {}

fn main() {}
