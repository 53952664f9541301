use mcp_runtime::prelude::*;

use std::rc::Rc;

async fn pause() {}

async fn languages(_: &str) -> Vec<String> {
    let shared = Rc::new(String::new());
    pause().await;
    vec![shared.to_string()]
}

/// Count the lines.
#[tool]
fn count(#[arg(complete = languages)] language: String) -> usize {
    language.len()
}

fn main() {}
