#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Booking {
    #[elicit(tilte = "Name")]
    name: String,
    #[elicit(range(min = 1))]
    city: String,
    #[elicit(format = "phone")]
    phone: String,
}

fn main() {}
