use mcp_runtime::prelude::*;

#[prompt]
fn review() {}

fn main() {}
