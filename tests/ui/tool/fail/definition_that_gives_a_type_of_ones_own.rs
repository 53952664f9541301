use mcp_runtime::{Server, Tool};

struct Sum;

fn main() {
    let _ = Server::new("s", "1").tool(Tool::new("add").call(|_ctx, _args| async { Sum }));
}
