#[allow(dead_code)]
struct Total(u32);

#[mcp_runtime::data]
struct Order<'a> {
    currency: &'a str,
    total: Total,
}

fn main() {}
