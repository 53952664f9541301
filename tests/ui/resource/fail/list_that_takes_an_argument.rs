use mcp_runtime::prelude::*;

fn all(page: u32) -> Vec<String> {
    vec![page.to_string()]
}

#[resource("note://{id}", list = all)]
fn note(id: String) -> String {
    id
}

fn main() {}
