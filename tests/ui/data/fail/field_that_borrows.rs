#[mcp_runtime::data]
struct Note {
    title: &str,
}

fn main() {}
