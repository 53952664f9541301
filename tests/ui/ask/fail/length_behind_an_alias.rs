use mcp_runtime::prelude::*;

type Count = u32;

#[derive(Elicit)]
struct Form {
    #[elicit(length(max = 5))]
    value: Count,
}

fn main() {}
