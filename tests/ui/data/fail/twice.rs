#[mcp_runtime::data]
#[mcp_runtime::data]
struct Place {
    city: String,
}

fn main() {}
