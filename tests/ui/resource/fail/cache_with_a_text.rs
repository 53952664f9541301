use mcp_runtime::prelude::*;

#[resource("notes://all", cache("5m"))]
fn notes() -> String {
    "all".to_owned()
}

fn main() {}
