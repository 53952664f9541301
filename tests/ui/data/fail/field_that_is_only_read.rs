use mcp_runtime::prelude::*;

struct Country;

#[mcp_runtime::data]
struct City {
    name: String,
    #[serde(skip_serializing)]
    country: Country,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
