#![allow(unused)]

use mcp_runtime::prelude::*;

type Nights = u8;

#[derive(Elicit)]
struct Booking {
    #[elicit(default = 300)]
    nights: Nights,
}

fn main() {}
