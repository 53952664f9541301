#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Name {
    name: String,
    #[elicit(name = "name")]
    other: String,
}

fn main() {}
