use mcp_runtime::prelude::*;

struct Point {
    x: i64,
}

#[tool]
fn plot(point: Option<Point>) -> i64 {
    point.map_or(0, |point| point.x)
}

fn main() {}
