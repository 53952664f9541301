use anyhow::Context;
use mcp_runtime::prelude::*;

/// Read the greeting.
#[tool]
fn hello(_ctx: &Context) -> anyhow::Result<String> {
    read()
}

fn read() -> anyhow::Result<String> {
    std::fs::read_to_string("greeting").context("no greeting")
}

fn main() {}
