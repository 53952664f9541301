#[mcp_runtime::data]
#[serde(rename_all = "camelCase", default)]
struct Order {
    name: String,
    total: u32,
}

fn main() {}
