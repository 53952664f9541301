use mcp_runtime::prelude::*;

#[mcp_runtime::data]
struct Row {
    id: i64,
}

#[mcp_runtime::data]
struct Page<T: Copy> {
    value: T,
}

/// Read a page.
#[tool(blocking)]
fn read(id: i64) -> Json<Page<Row>> {
    unimplemented!("{id}")
}

fn main() {}
