use mcp_runtime::prelude::*;

#[derive(Default)]
struct Country;

#[mcp_runtime::data]
struct City {
    name: String,
    #[serde(skip_deserializing)]
    country: Country,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
