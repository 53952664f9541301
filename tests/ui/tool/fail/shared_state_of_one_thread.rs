use std::rc::Rc;
use std::sync::Arc;

fn main() {
    let _ = mcp_runtime::server!().shared_state(Arc::new(Rc::new(String::new())));
}
