use mcp_runtime::prelude::*;

#[resource("users://:id")]
fn user(id: String) -> String {
    id
}

fn main() {}
