use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[serde(default)]
struct City;

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
