#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    #[elicit]
    sure: bool,
}

fn main() {}
