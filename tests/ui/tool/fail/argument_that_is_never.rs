use mcp_runtime::prelude::*;

/// Wait.
#[tool]
fn wait(end: !) -> String {
    end
}

fn main() {}
