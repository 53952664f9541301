use mcp_runtime::prelude::*;

#[resource("note://{id}")]
fn note(#[arg(header = "Id")] id: String) -> String {
    id
}

fn main() {}
