use mcp_runtime::prelude::*;

#[tool]
fn find(place: Option<Location>) -> Json<Vec<u32>> {
    Json(place.into_iter().map(|place| place.id).collect())
}

fn main() {}
