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
#[tool]
fn read() -> Result<Json<Page<Row>>> {
    unimplemented!()
}

fn main() {}
