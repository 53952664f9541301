use mcp_runtime::prelude::*;

#[derive(Debug)]
struct Point;

#[tool]
fn show(#[arg(from_str)] value: Point) -> String {
    format!("{value:?}")
}

fn main() {}
