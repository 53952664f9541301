#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
async fn delete(ctx: &Ctx) {
    let question = ctx.elicit::<Confirm>("Really?");
    tokio::spawn(question);
}

fn main() {}
