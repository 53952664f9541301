use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Booking {
    #[serde(default)]
    nights: u8,
}

fn main() {}
