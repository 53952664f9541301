#[allow(dead_code)]
struct Total(u32);

#[mcp_runtime::data]
struct Order {
    currency: &'static str,
    total: Option<Total>,
}

fn main() {}
