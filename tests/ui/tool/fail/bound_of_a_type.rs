use mcp_runtime::prelude::*;

use std::fmt::Display;

#[mcp_runtime::data]
struct Point(u32, u32);

#[mcp_runtime::data]
struct Named<T: Display> {
    name: String,
    value: T,
}

/// Show it.
#[tool]
fn show(named: Named<Point>) -> String {
    named.name
}

fn main() {}
