#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Name {
    #[elicit(range(min = 1))]
    name: String,
}

fn main() {}
