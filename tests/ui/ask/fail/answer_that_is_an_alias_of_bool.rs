#![allow(unused)]

use mcp_runtime::prelude::*;

type Sure = bool;

/// Delete a note.
#[tool]
fn delete(#[ask("Really?")] confirm: Sure) {}

fn main() {}
