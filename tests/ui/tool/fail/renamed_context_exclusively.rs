use mcp_runtime::Ctx as C;
use mcp_runtime::prelude::*;

/// Say who calls.
#[tool]
fn whoami(c: &mut C) -> String {
    c.client().name().to_owned()
}

fn main() {}
