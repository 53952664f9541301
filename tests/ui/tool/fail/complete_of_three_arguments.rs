use mcp_runtime::prelude::*;

fn languages(partial: &str, ctx: &CompletionContext, most: usize) -> Vec<String> {
    vec![format!("{partial} {ctx:?} {most}")]
}

#[tool]
fn show(#[arg(complete = languages)] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
