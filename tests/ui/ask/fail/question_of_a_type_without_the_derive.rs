use mcp_runtime::prelude::*;

struct Confirm {
    sure: bool,
}

fn question() -> Question<Confirm> {
    Question::known(Confirm { sure: true })
}

/// Delete all notes.
#[tool]
fn delete(#[ask(with = question())] confirm: Confirm) -> bool {
    confirm.sure
}

fn main() {}
