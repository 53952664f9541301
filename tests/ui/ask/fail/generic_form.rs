#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm<T> {
    sure: T,
}

fn main() {}
