use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[serde(tag = "type")]
enum City {
    Berne,
    Other(String, u32),
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
