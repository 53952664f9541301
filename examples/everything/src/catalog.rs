//! A catalog that changes while the server runs.

use mcp_runtime::prelude::*;

/// There on some days only.
#[tool(disabled)]
fn test_sometimes() -> &'static str {
    "You are lucky today."
}

/// There on some days only.
#[prompt(disabled)]
fn test_sometimes_prompt() -> &'static str {
    "Ask again tomorrow."
}

/// Show or hide the tool `test_sometimes`; clients that listen are told.
#[tool]
fn test_trigger_tool_change(ctx: &Ctx) -> &'static str {
    let server = ctx.server();
    if server.tools().enable("test_sometimes") {
        "`test_sometimes` is there"
    } else {
        server.tools().disable("test_sometimes");
        "`test_sometimes` is gone"
    }
}

/// Show or hide the prompt `test_sometimes_prompt`; clients that listen are told.
#[tool]
fn test_trigger_prompt_change(ctx: &Ctx) -> &'static str {
    let server = ctx.server();
    if server.prompts().enable("test_sometimes_prompt") {
        "`test_sometimes_prompt` is there"
    } else {
        server.prompts().disable("test_sometimes_prompt");
        "`test_sometimes_prompt` is gone"
    }
}
