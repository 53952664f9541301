use mcp_runtime::prelude::*;

#[tool]
fn origin() -> ! {
    loop {}
}

fn main() {}
