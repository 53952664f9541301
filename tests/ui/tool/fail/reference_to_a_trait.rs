use mcp_runtime::prelude::*;

#[tool]
fn say(text: &dyn ToString) -> String {
    text.to_string()
}

fn main() {}
