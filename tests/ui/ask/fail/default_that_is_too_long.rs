#![allow(unused)]

use mcp_runtime::Elicit;

#[derive(Elicit)]
struct Booking {
    #[elicit(default = "Amsterdam", length(max = 5))]
    city: String,
}

fn main() {}
