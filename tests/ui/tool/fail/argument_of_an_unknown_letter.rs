use mcp_runtime::prelude::*;

/// Count them.
#[tool]
fn count(values: Vec<T>) -> usize {
    values.len()
}

fn main() {}
