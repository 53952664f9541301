use mcp_runtime::prelude::*;

trait Adds {
    #[tool]
    fn add(a: i64, b: i64) -> i64;
}

fn main() {}
