use mcp_runtime::prelude::*;

#[derive(Elicit)]
struct Confirm {
    sure: bool,
}

async fn question(id: &u32) -> Result<Question<Confirm>> {
    Ok(Question::ask(format!("Delete {id}?")))
}

/// Delete a note.
#[tool]
fn delete(id: u32, #[ask(with = question(id).await?)] confirm: Confirm) -> bool {
    confirm.sure && id > 0
}

fn main() {}
