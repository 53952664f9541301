use mcp_runtime::prelude::*;

use std::future::Future;
use std::pin::Pin;

#[tool]
fn origin() -> Pin<Box<dyn Future<Output = String> + Send>> {
    Box::pin(async { String::new() })
}

fn main() {}
