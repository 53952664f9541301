use mcp_runtime::{Server, Tool};

fn main() {
    let _ = Server::new("s", "1").tool(Tool::new("add").call(|_ctx, _args| "added"));
}
