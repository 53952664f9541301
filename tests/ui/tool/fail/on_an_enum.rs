use mcp_runtime::prelude::*;

#[tool]
pub enum Operation {
    Add,
}

fn main() {}
