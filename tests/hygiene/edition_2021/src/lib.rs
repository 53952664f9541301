//! Handlers of an older edition.
#![forbid(unsafe_code)]

use mcp_runtime::prelude::*;

/// A tool of an older edition.
#[tool]
pub async fn older_tool(gen: u8, r#async: Option<bool>) -> String {
    format!("{gen} {async:?}", r#async = r#async)
}

/// A resource of an older edition.
#[resource("older://{id}")]
pub fn older_resource(id: String) -> String {
    id
}
