use mcp_runtime::prelude::*;

type Name = String;

#[derive(Elicit)]
struct Form {
    #[elicit(enum_names)]
    value: Name,
}

fn main() {}
