use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct City {
    #[serde(range(min = 1))]
    inhabitants: u32,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
