//! What the client does not send needs no name.

use mcp_runtime::prelude::*;

struct Notes;

#[mcp_runtime::data]
struct Query {
    text: String,
    limit: u32,
}

#[tool]
fn nothing(_: &Ctx, _: State<Notes>) -> String {
    String::new()
}

#[tool]
fn search(Args(Query { text, limit }): Args<Query>) -> String {
    text.repeat(limit as usize)
}

fn main() {}
