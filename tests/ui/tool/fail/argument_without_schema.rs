use mcp_runtime::prelude::*;

#[derive(mcp_runtime::serde::Deserialize)]
#[serde(crate = "mcp_runtime::serde")]
struct Point {
    x: i64,
}

#[tool]
fn plot(point: Point) -> i64 {
    point.x
}

fn main() {}
