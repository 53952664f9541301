use mcp_runtime::prelude::*;

fn languages(partial: &str) -> Vec<String> {
    vec![partial.to_owned()]
}

#[tool]
fn show(#[arg(complete = languages)] value: String) -> String {
    format!("{value:?}")
}

fn main() {}
