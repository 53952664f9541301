use std::collections::BTreeMap;

#[allow(dead_code)]
struct Total(u32);

#[mcp_runtime::data]
struct Page<T> {
    items: BTreeMap<String, Vec<(T, Total)>>,
}

fn main() {}
