use std::rc::Rc;

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Booking {
    nights: Rc<u8>,
}

/// Book a room.
#[tool]
fn book(#[ask("How long?")] booking: Booking) -> u8 {
    *booking.nights
}

fn main() {}
