#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
#[elicit(name = "")]
struct Booking {
    nights: u8,
}

fn main() {}
