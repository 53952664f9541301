use mcp_runtime::prelude::*;

#[tool]
fn say(texts: Vec<&'static str>) -> usize {
    texts.len()
}

fn main() {}
