//! Annotate plain functions, get an MCP server.

pub mod schema;
pub mod uri_template;
