#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Size {
    Small,
    Other(u32),
}

fn main() {}
