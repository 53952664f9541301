use mcp_runtime::prelude::*;

#[resource("notes://all" mime = "text/plain")]
fn notes() -> String {
    "all".to_owned()
}

fn main() {}
