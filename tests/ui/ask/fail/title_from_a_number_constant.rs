use mcp_runtime::prelude::*;

const FIRST: u32 = 1;

#[derive(Elicit)]
enum Class {
    #[elicit(title = FIRST)]
    First,
    Second,
}

fn main() {}
