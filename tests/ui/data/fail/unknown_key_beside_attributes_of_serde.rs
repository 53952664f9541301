#![allow(unused)]

use mcp_runtime::prelude::*;

#[mcp_runtime::data(default)]
struct Place {
    #[serde(rename = "town")]
    city: String,
    #[schemars(range(min = 1))]
    people: u32,
}

#[mcp_runtime::data]
struct Trip {
    places: Vec<Place>,
}

/// Plan a trip.
#[tool]
fn plan(trip: Trip) -> Json<Place> {
    unimplemented!()
}

fn main() {}
