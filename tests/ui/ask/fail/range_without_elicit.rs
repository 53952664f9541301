use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Booking {
    #[range(min = 1)]
    nights: u8,
}

fn main() {}
