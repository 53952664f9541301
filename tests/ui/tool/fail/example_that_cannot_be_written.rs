use mcp_runtime::prelude::*;

struct Point;

#[tool]
fn show(#[arg(example = Point)] value: i64) -> String {
    format!("{value:?}")
}

fn main() {}
