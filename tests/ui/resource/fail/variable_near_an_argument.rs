use mcp_runtime::prelude::*;

#[resource("users://{user_id}")]
fn note(userid: String) -> String {
    String::new()
}

fn main() {}
