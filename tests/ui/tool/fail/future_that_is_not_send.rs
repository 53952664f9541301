use mcp_runtime::prelude::*;

use std::rc::Rc;

async fn pause() {}

#[tool]
async fn count() -> String {
    let shared = Rc::new(1);
    pause().await;
    shared.to_string()
}

fn main() {}
