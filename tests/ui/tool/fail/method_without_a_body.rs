use mcp_runtime::prelude::*;

struct Adder;

impl Adder {
    #[tool]
    fn add(a: i64, b: i64) -> i64;
}

fn main() {}
