use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

fn question() -> Question<Option<Confirm>> {
    Question::ask("Really?")
}

/// Delete all notes.
#[tool]
fn delete(#[ask(with = question())] confirm: Option<Confirm>) -> bool {
    confirm.is_some_and(|confirm| confirm.sure)
}

fn main() {}
