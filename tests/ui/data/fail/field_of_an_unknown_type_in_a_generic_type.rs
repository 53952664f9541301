#[mcp_runtime::data]
#[derive(Clone, Debug, PartialEq)]
struct Page<T> {
    items: Vec<T>,
    city: City,
}

fn main() {}
