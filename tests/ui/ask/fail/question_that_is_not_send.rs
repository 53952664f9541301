use mcp_runtime::prelude::*;

use std::rc::Rc;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

async fn pause() {}

async fn question() -> Question<Confirm> {
    let shared = Rc::new(String::from("Really?"));
    pause().await;
    Question::ask(shared.to_string())
}

/// Delete all notes.
#[tool]
fn delete(#[ask(with = question())] confirm: Confirm) -> bool {
    confirm.sure
}

fn main() {}
