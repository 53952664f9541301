use mcp_runtime::prelude::*;

#[derive(mcp_runtime::schemars::JsonSchema)]
#[schemars(crate = "mcp_runtime::schemars")]
struct Point {
    x: i64,
}

#[tool]
fn plot(point: Point) -> i64 {
    point.x
}

fn main() {}
