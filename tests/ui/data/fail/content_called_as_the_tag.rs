use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[serde(tag = "of", content = "of")]
enum City {
    Berne,
    Other { name: String },
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
