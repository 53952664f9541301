use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[serde(default)]
enum City {
    Berne,
    Other(String),
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
