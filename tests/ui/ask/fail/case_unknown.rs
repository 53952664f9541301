#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
#[elicit(rename_all = "SpongeBob")]
enum Size {
    Small,
}

fn main() {}
