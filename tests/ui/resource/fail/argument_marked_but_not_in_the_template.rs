use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Page(u32);

#[resource("users://{user}")]
fn profile(user: String, #[arg(title = "Page")] page: Page) -> String {
    format!("{user} {}", page.0)
}

fn main() {}
