use mcp_runtime::prelude::*;

struct Confirm {
    sure: bool,
}

fn really<T: Elicit>() -> Question<T> {
    Question::ask("Really?")
}

fn question() -> Question<Confirm> {
    really()
}

fn main() {}
