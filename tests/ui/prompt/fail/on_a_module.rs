use mcp_runtime::prelude::*;

#[prompt]
mod prompts {}

fn main() {}
