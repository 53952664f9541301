use mcp_runtime::prelude::*;

struct Adder;

impl Adder {
    #[tool]
    fn new() -> Self {
        Self
    }
}

fn main() {}
