#![allow(unused)]

use mcp_runtime::prelude::*;

/// Count.
#[tool]
fn count(#[positive] to: u32) {}

fn main() {}
