use mcp_runtime::prelude::*;

#[mcp_runtime::data]
#[derive(Elicit)]
struct Sure {
    yes: bool,
}

#[tool]
async fn remove(ids: Vec<Idd>, #[ask("Remove?")] sure: Sure) -> String {
    format!("{} {}", ids.len(), sure.yes)
}

fn main() {}
