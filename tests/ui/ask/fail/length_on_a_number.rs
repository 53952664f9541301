#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Nights {
    #[elicit(length(max = 3))]
    nights: u8,
}

fn main() {}
