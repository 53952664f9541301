use mcp_runtime::State as Shared;
use mcp_runtime::prelude::*;

struct Db;

/// Count what is stored.
#[tool]
fn count(db: &Shared<Db>) -> usize {
    std::mem::size_of_val(db)
}

fn main() {}
