#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Address {
    street: String,
}

#[derive(Elicit)]
struct Person {
    name: String,
    address: Address,
}

fn main() {}
