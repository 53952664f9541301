//! The runtime by another name.

extern crate mcp_runtime as framework;

mod inner {
    pub use framework::*;
}

use framework::{prompt, resource, tool};

#[tool(crate = crate::inner, read_only)]
async fn add(a: i64, #[cfg(all())] b: i64) -> i64 {
    a + b
}

#[resource("note://{id}", crate = framework)]
fn note(id: String) -> String {
    id
}

#[prompt(crate = ::framework)]
fn review(code: String) -> String {
    code
}

#[framework::data(crate = crate::inner)]
struct Point {
    x: i64,
}

fn main() {
    let _ = Point { x: 1 }.x;
}
