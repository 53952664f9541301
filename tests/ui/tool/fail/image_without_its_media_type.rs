use mcp_runtime::Image;
use mcp_runtime::prelude::*;

/// Draw a dot.
#[tool]
fn draw() -> Image {
    Image::new([0x42, 0x4d])
}

fn main() {}
