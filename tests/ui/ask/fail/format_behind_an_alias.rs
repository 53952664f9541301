use mcp_runtime::prelude::*;

type Count = u32;

#[derive(Elicit)]
struct Form {
    #[elicit(format = "email")]
    value: Count,
}

fn main() {}
