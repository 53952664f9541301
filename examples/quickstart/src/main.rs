//! The README's server: a tool, a resource, a prompt.

use mcp_runtime::prelude::*;

/// Add two numbers.
#[tool(read_only)]
fn add_numbers(
    /// First addend
    a: i64,
    /// Second addend
    b: i64,
) -> i64 {
    a + b
}

/// A greeting for somebody.
#[resource("greeting://{name}")]
fn greeting(name: String) -> String {
    format!("Hello, {name}!")
}

/// Ask for a careful review of some code.
#[prompt]
fn review(
    /// The code to review
    code: String,
) -> String {
    format!("Review this code, most important findings first:\n\n{code}")
}

#[tokio::main]
async fn main() -> mcp_runtime::Result<()> {
    mcp_runtime::server!().run().await
}
