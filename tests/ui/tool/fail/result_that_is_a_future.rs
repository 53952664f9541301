use mcp_runtime::prelude::*;

use std::future::Future;

#[tool]
fn origin() -> impl Future<Output = String> {
    async { String::new() }
}

fn main() {}
