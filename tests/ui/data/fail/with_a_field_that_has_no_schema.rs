struct Inner;

#[mcp_runtime::data]
struct Outer {
    inner: Inner,
}

fn main() {}
