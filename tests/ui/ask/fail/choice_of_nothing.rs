#![allow(unused)]

use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Size {}

fn main() {}
