use mcp_runtime::prelude::*;

use std::borrow::Cow;

#[tool]
fn echo(message: Cow<'_, str>) -> String {
    message.into_owned()
}

fn main() {}
