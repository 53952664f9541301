use mcp_runtime::prelude::*;

#[tool]
trait Adds {
    fn add(&self);
}

fn main() {}
