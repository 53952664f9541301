use mcp_runtime::prelude::*;

#[tool]
fn find() -> Result<Json<Location>> {
    todo!()
}

fn main() {}
