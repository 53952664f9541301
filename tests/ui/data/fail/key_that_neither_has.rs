use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct City {
    #[serde(skip_if_none)]
    inhabitants: Option<u32>,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
