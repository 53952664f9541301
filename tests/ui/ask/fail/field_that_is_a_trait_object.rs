use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Booking {
    nights: Box<dyn std::fmt::Debug>,
}

fn main() {}
