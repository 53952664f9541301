#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Nights {
    #[elicit(format = "date")]
    nights: u8,
}

fn main() {}
