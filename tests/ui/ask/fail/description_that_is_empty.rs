use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Name {
    #[elicit(description = "")]
    name: String,
}

fn main() {}
