#![allow(unused)]

use mcp_runtime::prelude::*;

struct Street(String);

#[derive(Elicit)]
struct Address {
    street: Street,
}

fn main() {}
