use mcp_runtime::prelude::*;

struct Notes;

/// Count the notes.
#[tool]
async fn count(notes: &Notes, ctx: &Ctx) -> usize {
    drop((notes, ctx.deadline()));
    0
}

fn main() {}
