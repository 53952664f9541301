#![allow(unused)]

use mcp_runtime::prelude::*;

type Nights = u8;

#[derive(Elicit)]
struct Booking {
    #[elicit(range(min = 1, max = 300))]
    nights: Nights,
}

fn main() {}
