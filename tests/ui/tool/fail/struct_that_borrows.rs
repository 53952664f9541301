use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Point {
    label: &'static str,
}

/// Draw a point.
#[tool]
async fn draw(point: Point) -> String {
    point.label.to_owned()
}

fn main() {}
