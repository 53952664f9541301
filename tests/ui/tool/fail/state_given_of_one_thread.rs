use std::cell::RefCell;

fn main() {
    drop(mcp_runtime::server!().state(RefCell::new(1)));
}
