#[mcp_runtime::data]
struct Place {
    city: City,
}

fn main() {}
