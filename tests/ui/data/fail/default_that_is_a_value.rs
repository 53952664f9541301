use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct City {
    #[serde(default = "true")]
    is_swiss: bool,
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
