use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Point {
    label: &'static str,
}

#[derive(Elicit)]
struct Sure {
    yes: bool,
}

/// Draw a point.
#[tool]
async fn draw(point: Args<Point>, #[ask("Sure?")] sure: Sure) -> String {
    format!("{} {}", point.label, sure.yes)
}

fn main() {}
