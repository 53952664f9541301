#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete notes.
#[tool]
fn delete(ids: Vec<u32>, #[ask("Really delete {ids}?")] confirm: Confirm) {}

fn main() {}
