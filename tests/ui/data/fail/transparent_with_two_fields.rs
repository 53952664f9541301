use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[serde(transparent)]
struct City {
    name: String,
    inhabitants: u32,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
