use mcp_runtime::prelude::*;

#[tool]
fn find(kind: String, #[arg(name = "kind")] sort: String) -> String {
    kind + &sort
}

fn main() {}
