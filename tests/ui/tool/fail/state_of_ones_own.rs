use mcp_runtime::prelude::*;

struct State<T>(T);

/// Count the letters.
#[tool]
fn count(text: State<String>) -> usize {
    text.0.len()
}

fn main() {}
