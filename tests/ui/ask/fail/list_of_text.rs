#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Person {
    names: Vec<String>,
}

fn main() {}
