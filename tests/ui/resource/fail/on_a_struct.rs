use mcp_runtime::prelude::*;

#[resource("note://today")]
struct Note;

fn main() {}
