#[mcp_runtime::data]
#[serde(default)]
struct Page<T> {
    number: u32,
    items: Vec<T>,
}

fn main() {}
