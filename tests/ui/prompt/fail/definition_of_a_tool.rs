use mcp_runtime::{Server, Tool};

fn main() {
    let _ = Server::new("s", "1").prompt(Tool::new("add").call(|_, _| async { 1 }));
}
