use mcp_runtime::prelude::*;

use std::rc::Rc;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

/// Delete a note.
#[tool]
fn delete(notes: State<Rc<String>>, #[ask("Really?")] confirm: Confirm) -> bool {
    confirm.sure && notes.is_empty()
}

fn main() {}
