use mcp_runtime::prelude::*;

fn all() -> u32 {
    5
}

#[resource("note://{id}", list = all)]
fn note(id: String) -> String {
    id
}

fn main() {}
