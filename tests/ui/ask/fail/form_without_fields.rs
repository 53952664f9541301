#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm;

fn main() {}
