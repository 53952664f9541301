use mcp_runtime::prelude::*;

struct Notes;

#[resource("users://{user}")]
fn profile(user: String, notes: Notes) -> String {
    let _ = notes;
    user
}

fn main() {}
