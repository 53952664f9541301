use mcp_runtime::prelude::*;

struct Adder;

impl Adder {
    #[tool]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
