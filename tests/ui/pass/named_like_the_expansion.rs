//! Handlers and parameters called as the names inside the expansion are.

use mcp_runtime::prelude::*;

#[tool]
async fn args(args: String, ctx: String, a0: String) -> String {
    args + &ctx + &a0
}

#[tool]
async fn ctx(args: &Ctx, a1: String) -> String {
    let _ = args;
    a1
}

#[tool(blocking)]
fn a0(a1: u8, a0: u8) -> u8 {
    a0 + a1
}

#[prompt]
fn prompt(resource: String, tool: String) -> String {
    resource + &tool
}

#[tool]
fn tool(#[arg(default = value(), complete = partial)] value: String) -> String {
    value
}

fn value() -> String {
    String::new()
}

fn partial(partial: &str, _: &CompletionContext) -> Vec<String> {
    vec![partial.to_owned()]
}

fn main() {}
