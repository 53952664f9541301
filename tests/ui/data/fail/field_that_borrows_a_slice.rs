#[mcp_runtime::data]
struct Note(&[&str]);

fn main() {}
