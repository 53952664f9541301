#[mcp_runtime::data]
union Bits {
    a: u8,
}

fn main() {}
