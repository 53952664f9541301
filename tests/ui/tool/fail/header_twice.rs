use mcp_runtime::prelude::*;

#[tool]
fn find(#[arg(header = "Region")] from: String, #[arg(header = "region")] to: String) -> String {
    from + &to
}

fn main() {}
