use mcp_runtime::prelude::*;

fn languages(partial: &str, ctx: &mcp_runtime::CompletionContext) -> usize {
    let _ = ctx;
    partial.len()
}

#[prompt]
fn review(#[arg(complete = languages)] language: String) -> String {
    language
}

fn main() {}
