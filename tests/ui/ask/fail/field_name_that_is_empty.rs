#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    #[elicit(name = "")]
    sure: bool,
}

fn main() {}
