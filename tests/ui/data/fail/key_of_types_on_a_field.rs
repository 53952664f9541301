use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct City {
    #[serde(rename_all = "camelCase")]
    inhabitants: u32,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
