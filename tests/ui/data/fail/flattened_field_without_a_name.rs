use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct City(#[serde(flatten)] Country, u32);

#[mcp_runtime::data]
struct Country {
    name: String,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
