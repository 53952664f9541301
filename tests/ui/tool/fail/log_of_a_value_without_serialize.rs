use mcp_runtime::LogLevel;
use mcp_runtime::prelude::*;

struct Copied {
    files: usize,
}

/// Copy files.
#[tool]
fn copy(ctx: &Ctx) {
    ctx.log(LogLevel::Info, Copied { files: 2 });
}

fn main() {}
