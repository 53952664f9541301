#[mcp_runtime::data(crate = nowhere)]
struct Place {
    city: String,
}

fn main() {}
