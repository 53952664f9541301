use mcp_runtime::prelude::*;

#[tool]
fn show(#[arg(header = "Ratio")] value: f64) -> String {
    format!("{value:?}")
}

fn main() {}
