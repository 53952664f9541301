use mcp_runtime::prelude::*;

#[tool]
fn find(place: Location) -> u32 {
    todo!()
}

fn main() {}
