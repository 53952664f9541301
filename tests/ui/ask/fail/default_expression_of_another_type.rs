#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    #[elicit(default = limit())]
    nights: u8,
}

fn limit() -> u64 {
    3
}

fn main() {}
