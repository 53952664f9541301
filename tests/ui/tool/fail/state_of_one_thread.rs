use mcp_runtime::prelude::*;

use std::rc::Rc;

/// Count the letters.
#[tool]
fn count(text: State<Rc<String>>) -> usize {
    text.len()
}

fn main() {}
