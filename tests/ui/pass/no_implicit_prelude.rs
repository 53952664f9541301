//! A crate without the prelude.

#![no_implicit_prelude]

use ::mcp_runtime::{Ctx, prompt, resource, tool};
use ::std::string::String;

#[tool(read_only, timeout = "5s")]
async fn add(ctx: &Ctx, a: i64, #[arg(default)] b: i64, #[arg(range(max = 3))] c: u8) -> i64 {
    let _ = (ctx, c);
    a + b
}

/// A note.
#[resource("note://{id}")]
fn note(id: String) -> String {
    id
}

#[prompt(blocking)]
fn review(code: String) -> String {
    code
}

fn main() {}
