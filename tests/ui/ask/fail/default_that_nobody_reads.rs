use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Booking {
    #[default = 2]
    nights: u8,
}

fn main() {}
