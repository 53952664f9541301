use std::rc::Rc;

use mcp_runtime::{Server, Tool};

fn main() {
    let sum = Rc::new(5);
    let _ = Server::new("s", "1").tool(Tool::new("add").call(move |_ctx, _args| {
        let sum = *sum;
        async move { sum }
    }));
}
