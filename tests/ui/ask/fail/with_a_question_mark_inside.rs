use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

fn name(id: &u32) -> Result<String> {
    Ok(id.to_string())
}

/// Delete a note.
#[tool]
fn delete(id: u32, #[ask(with = Question::ask(name(id)?))] confirm: Confirm) -> bool {
    confirm.sure && id > 0
}

fn main() {}
