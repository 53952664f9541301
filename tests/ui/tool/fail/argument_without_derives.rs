use mcp_runtime::prelude::*;

struct Point {
    x: i64,
}

#[tool]
fn plot(point: Point) -> i64 {
    point.x
}

fn main() {}
