#[mcp_runtime::data]
struct Total(u32);

#[mcp_runtime::data]
struct Order {
    name: String,
    #[serde(default)]
    total: Total,
}

fn main() {}
