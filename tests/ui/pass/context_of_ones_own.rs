//! `Context` is a good name for an argument, and for ours.

use anyhow::Context as _;
use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Context {
    context: String,
}

/// Count the letters.
#[tool]
fn count(context: Context) -> anyhow::Result<usize> {
    let first = context.context.chars().next().context("nothing there")?;
    Ok(context.context.len() + usize::from(first.is_alphabetic()))
}

mod renamed {
    use mcp_runtime::Ctx as Context;
    use mcp_runtime::prelude::*;

    /// Whether the client still waits.
    #[tool]
    fn is_waited_for(context: &Context) -> bool {
        !context.is_cancelled()
    }
}

fn main() {}
