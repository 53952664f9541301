use mcp_runtime::prelude::*;

struct Notes;

impl Notes {
    #[resource("note://today")]
    fn note(&self) -> String {
        String::new()
    }
}

fn main() {}
