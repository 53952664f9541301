use mcp_runtime::prelude::*;

#[tool]
async fn remove(count: u32, #[ask("Remove?")] sure: Elicited<Shure>) -> String {
    format!("{count} {}", sure.is_accepted())
}

fn main() {}
