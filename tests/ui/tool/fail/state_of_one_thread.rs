use std::rc::Rc;

fn main() {
    let _ = mcp_runtime::server!().state(Rc::new(String::new()));
}
