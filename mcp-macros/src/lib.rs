//! The attributes of `mcp-runtime`.
