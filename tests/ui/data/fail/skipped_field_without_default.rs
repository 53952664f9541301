#[allow(dead_code)]
struct Cache(u32);

#[mcp_runtime::data]
struct Order {
    name: String,
    #[serde(skip)]
    cache: Cache,
}

fn main() {}
