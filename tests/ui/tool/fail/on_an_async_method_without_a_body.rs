use mcp_runtime::prelude::*;

trait Adder {
    #[tool]
    async fn add(&self, a: i64, b: i64) -> i64;
}

fn main() {}
