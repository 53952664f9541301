use mcp_runtime::prelude::*;

#[resource("note://{+folder}{/name}")]
fn note(folder: String, name: Option<String>) -> String {
    format!("{folder} {name:?}")
}

fn main() {}
