use mcp_runtime::prelude::*;

#[derive(Default)]
struct Cache;

#[mcp_runtime::data]
enum City {
    Berne,
    Cached(#[serde(skip)] Cache),
}

/// Where it is used, nothing is told.
#[tool]
fn show() -> Json<City> {
    panic!()
}

fn main() {}
