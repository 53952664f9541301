use mcp_runtime::prelude::*;

#[tool]
fn remove(id: String, #[ask("Really?")] sure: bool) -> String {
    format!("{id} {sure}")
}

fn main() {}
