use mcp_runtime::prelude::*;

struct Point {
    x: i64,
}

#[tool]
fn origin() -> Point {
    Point { x: 0 }
}

fn main() {}
