use mcp_runtime::prelude::*;

#[resource("users://{user_id}")]
fn note(userid: String) -> String {
    format!("{userid:?}")
}

fn main() {}
