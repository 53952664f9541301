use std::rc::Rc;

use mcp_runtime::prelude::*;

/// Count.
#[tool]
fn count(ctx: &Ctx) -> Result<usize> {
    Ok(ctx.state::<Rc<String>>()?.len())
}

fn main() {}
