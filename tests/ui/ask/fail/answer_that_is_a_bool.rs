#![allow(unused)]

use mcp_runtime::prelude::*;

/// Delete a note.
#[tool]
fn delete(#[ask("Really?")] confirm: bool) {}

fn main() {}
