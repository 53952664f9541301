#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Name {
    #[elicit(format = "phone")]
    name: String,
}

fn main() {}
