#![allow(unused)]

struct Total;

#[mcp_runtime::data]
struct Page
where
    String: Clone,
{
    total: Total,
}

fn main() {}
