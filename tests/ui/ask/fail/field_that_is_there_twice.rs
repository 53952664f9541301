use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Booking {
    nights: u32,
    nights: u32,
}

fn main() {}
