//! Functions and parameters whose names are keywords.

use mcp_runtime::prelude::*;

#[tool]
fn r#match(r#type: String, r#in: Option<u8>) -> String {
    format!("{} {:?}", r#type, r#in)
}

#[resource("note://{type}")]
fn r#mod(r#type: String) -> String {
    r#type
}

fn main() {
    assert_eq!(r#match("a".to_owned(), None), "a None");
}
