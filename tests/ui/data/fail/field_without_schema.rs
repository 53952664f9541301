#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(mcp_runtime::serde::Serialize, mcp_runtime::serde::Deserialize)]
#[serde(crate = "mcp_runtime::serde")]
struct Address {
    city: String,
}

#[mcp_runtime::data]
enum Place {
    At(Address),
    Anywhere,
}

fn main() {}
