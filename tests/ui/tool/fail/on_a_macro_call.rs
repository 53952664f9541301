use mcp_runtime::prelude::*;

macro_rules! nothing {
    () => {};
}

#[tool]
nothing!();

fn main() {}
