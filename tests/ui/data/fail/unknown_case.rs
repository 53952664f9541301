use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[serde(rename_all = "camel_case")]
struct City {
    is_swiss: bool,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
