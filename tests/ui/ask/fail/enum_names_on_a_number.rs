#![allow(unused)]

use mcp_runtime::Elicit;

#[derive(Elicit)]
struct Booking {
    #[elicit(enum_names)]
    nights: u8,
}

fn main() {}
