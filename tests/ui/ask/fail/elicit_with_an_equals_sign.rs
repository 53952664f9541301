#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    #[elicit = "Sure?"]
    sure: bool,
}

fn main() {}
