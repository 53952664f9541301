#[mcp_runtime::data(read_only)]
struct Point {
    x: i64,
}

fn main() {}
