use std::sync::{Arc, Mutex};

use mcp_runtime::prelude::*;

struct Db;

#[tool]
fn count(_db: Arc<Mutex<Db>>) -> u64 {
    1
}

fn main() {}
