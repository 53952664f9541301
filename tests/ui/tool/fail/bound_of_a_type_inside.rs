#![allow(unused)]

use mcp_runtime::prelude::*;

use std::fmt::Display;

#[mcp_runtime::data]
struct Point(u32, u32);

#[mcp_runtime::data]
struct Named<T: Display> {
    name: String,
    value: T,
}

/// Show them.
#[tool]
fn show(count: u32, named: Option<Vec<Named<Point>>>) -> u32 {
    count
}

fn main() {}
