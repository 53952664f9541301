use mcp_runtime::prelude::*;

struct Point {
    x: i64,
}

#[prompt]
fn review(point: Point) -> String {
    point.x.to_string()
}

fn main() {}
