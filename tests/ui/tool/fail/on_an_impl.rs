use mcp_runtime::prelude::*;

struct Adder;

#[tool]
impl Adder {
    fn add(&self) {}
}

fn main() {}
