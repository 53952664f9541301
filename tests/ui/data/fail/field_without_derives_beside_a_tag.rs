#[allow(dead_code)]
struct Reason(String);

#[mcp_runtime::data]
#[serde(tag = "kind", content = "value")]
enum Outcome<T> {
    Done(T),
    Failed(Reason),
}

fn main() {}
