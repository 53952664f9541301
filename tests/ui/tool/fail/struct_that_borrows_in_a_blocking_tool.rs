use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Point {
    label: Option<&'static str>,
}

/// Draw a point.
#[tool(blocking)]
fn draw(point: Point) -> String {
    point.label.unwrap_or("?").to_owned()
}

fn main() {}
