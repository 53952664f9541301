use mcp_runtime::prelude::*;

use std::rc::Rc;

/// Review some code.
#[prompt]
fn review(guide: State<Rc<String>>, code: String) -> String {
    format!("{guide:?}\n{code}")
}

fn main() {}
