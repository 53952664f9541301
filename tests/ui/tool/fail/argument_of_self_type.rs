use mcp_runtime::prelude::*;

struct Adder;

impl Adder {
    #[tool]
    fn add(other: Self) -> i64 {
        let _ = other;
        1
    }
}

fn main() {}
