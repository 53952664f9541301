use mcp_runtime::prelude::*;

#[tool]
mod math {}

fn main() {}
