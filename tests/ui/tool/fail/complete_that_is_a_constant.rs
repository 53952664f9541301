use mcp_runtime::prelude::*;

const LANGUAGES: [&str; 2] = ["Rust", "C"];

#[tool]
fn show(#[arg(complete = LANGUAGES)] value: String) -> String {
    value
}

fn main() {}
