use mcp_runtime::prelude::*;

struct Confirm {
    sure: bool,
}

fn question() -> Question<Confirm> {
    Question::known(Confirm { sure: true })
}

fn main() {}
