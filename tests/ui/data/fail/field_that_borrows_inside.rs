#[mcp_runtime::data]
enum Note {
    Titled { tags: Option<Vec<&str>> },
}

fn main() {}
