use mcp_runtime::prelude::*;

use std::rc::Rc;

async fn pause() {}

async fn all() -> Vec<String> {
    let shared = Rc::new(String::new());
    pause().await;
    vec![shared.to_string()]
}

/// A note.
#[resource("note://{id}", list = all)]
fn note(id: String) -> String {
    id
}

fn main() {}
