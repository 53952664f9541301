use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[serde(tag = "type")]
enum City {
    Berne,
    Other { r#type: String },
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
