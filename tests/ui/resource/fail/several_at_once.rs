use mcp_runtime::prelude::*;

#[resource("users://{user_id}/{file}", mime = "markdown", priority = 2, read_only)]
fn profile(userid: String, page: u32, #[arg(header = "X")] name: &str) -> String {
    format!("{userid} {page} {name}")
}

fn main() {}
