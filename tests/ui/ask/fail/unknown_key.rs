#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Name {
    #[elicit(tilte = "Name")]
    name: String,
}

fn main() {}
