use mcp_runtime::prelude::*;

#[tool]
unsafe extern "C" fn print(format: String, _more: ...) -> String {
    format
}

fn main() {}
