use mcp_runtime::prelude::*;

struct Point {
    x: i64,
}

type Reply = Result<Point, String>;

#[tool]
fn origin() -> Reply {
    Ok(Point { x: 0 })
}

fn main() {}
