#![allow(unused)]

use mcp_runtime::prelude::*;

struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
fn delete(#[ask("Really?")] confirm: Confirm) {}

fn main() {}
