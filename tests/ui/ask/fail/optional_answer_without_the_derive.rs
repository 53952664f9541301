#![allow(unused)]

use mcp_runtime::prelude::*;

pub struct Confirm {
    sure: bool,
}

/// Delete it.
#[tool]
fn delete(#[ask("Really?")] confirm: Option<Confirm>) -> String {
    String::new()
}

fn main() {}
