use mcp_runtime::prelude::*;

fn languages(partial: &str, ctx: &mcp_runtime::CompletionContext) -> Vec<usize> {
    let _ = ctx;
    vec![partial.len()]
}

#[tool]
fn show(#[arg(complete = languages)] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
