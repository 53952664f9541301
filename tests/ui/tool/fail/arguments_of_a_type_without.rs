use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Page {
    number: u32,
}

/// Show it.
#[tool(blocking)]
fn show(page: Page<u32>) -> u32 {
    page.number
}

fn main() {}
