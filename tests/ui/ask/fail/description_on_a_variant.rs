use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Class {
    #[description = "Second class"]
    Second,
    First,
}

fn main() {}
