use mcp_runtime::prelude::*;

type Name = String;

#[derive(Elicit)]
struct Form {
    #[elicit(range(min = 1))]
    value: Name,
}

fn main() {}
