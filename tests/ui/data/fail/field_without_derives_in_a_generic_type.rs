#![allow(unused)]

use mcp_runtime::prelude::*;

struct Total {
    count: u64,
}

#[mcp_runtime::data]
struct Item;

#[mcp_runtime::data]
struct Page<T> {
    items: Vec<T>,
    total: Option<Total>,
}

#[mcp_runtime::data]
struct Shelf<T> {
    page: Page<T>,
    first: Page<Item>,
}

/// List all.
#[tool]
fn list(shelf: Shelf<u8>) -> Json<Page<Item>> {
    Json(shelf.first)
}

fn main() {}
