use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Name {
    #[elicit(pattern = "^[a-z]+$")]
    name: String,
}

fn main() {}
