use mcp_runtime::prelude::*;

struct Point {
    x: i64,
}

#[tool]
fn origin() -> Json<Point> {
    Json(Point { x: 0 })
}

fn main() {}
