use mcp_runtime::prelude::*;

fn main() {
    #[tool]
    let add = |a: i64, b: i64| a + b;
}
