use mcp_runtime::prelude::*;

use std::borrow::Cow;

#[tool]
fn name(ctx: &Ctx) -> Cow<'_, str> {
    let _ = ctx;
    Cow::Borrowed("name")
}

fn main() {}
