#[mcp_runtime::data]
struct Place<'a> {
    name: &'a str,
    city: City,
}

fn main() {}
