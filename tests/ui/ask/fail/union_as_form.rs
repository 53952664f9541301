#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
union Either {
    number: u32,
    other: i32,
}

fn main() {}
