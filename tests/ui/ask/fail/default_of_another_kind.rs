#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    #[elicit(default = "yes")]
    sure: bool,
}

fn main() {}
