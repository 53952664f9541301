use mcp_runtime::prelude::*;

#[tool]
fn repeat<const N: usize>(message: String) -> String {
    message.repeat(N)
}

fn main() {}
