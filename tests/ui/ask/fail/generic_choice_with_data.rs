#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Class<T> {
    Second,
    First(T),
}

fn main() {}
