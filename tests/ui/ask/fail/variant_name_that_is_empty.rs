#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Class {
    #[elicit(name = "")]
    Second,
    First,
}

fn main() {}
