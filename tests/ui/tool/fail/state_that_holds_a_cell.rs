use std::cell::RefCell;

struct Notes {
    all: RefCell<Vec<String>>,
}

fn main() {
    let _ = mcp_runtime::server!().state(Notes { all: RefCell::default() });
}
