use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Contact {
    #[elicit(email)]
    address: String,
}

fn main() {}
