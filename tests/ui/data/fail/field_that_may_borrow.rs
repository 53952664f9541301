#[mcp_runtime::data]
struct Note {
    title: std::borrow::Cow<str>,
}

fn main() {}
