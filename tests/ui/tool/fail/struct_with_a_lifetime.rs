use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Point<'a> {
    label: &'a str,
}

/// Draw points.
#[tool]
fn draw(points: Vec<Point>) -> String {
    points.iter().map(|point| point.label).collect()
}

fn main() {}
