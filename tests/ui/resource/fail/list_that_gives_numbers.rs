use mcp_runtime::prelude::*;

fn all() -> Vec<f64> {
    Vec::new()
}

#[resource("note://{id}", list = all)]
fn note(id: String) -> String {
    id
}

fn main() {}
