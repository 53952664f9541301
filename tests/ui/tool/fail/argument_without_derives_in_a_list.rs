use mcp_runtime::prelude::*;

struct Point {
    x: i64,
}

#[tool]
fn plot(points: Vec<Point>) -> i64 {
    points.iter().map(|point| point.x).sum()
}

fn main() {}
