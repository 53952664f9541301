#[mcp_runtime::data]
fn add() {}

fn main() {}
